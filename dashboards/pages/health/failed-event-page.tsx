import type { FailedEventBody } from '../../../reporting/queries/failed.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { reasonWords } from '../../text/failed-words.ts'
import { counted } from '../../text/format.ts'
import { ByCommandLine, FixField } from './failed-events.tsx'
import { Section } from './section.tsx'

type FailedEventPageProps = { context: PageContext; event: FailedEventBody; canReplay: boolean }

/** One failed event: why, what was sent, and the way to put it right. */
export function FailedEventPage({ context, event, canReplay }: FailedEventPageProps) {
  const { format } = context
  const { event_id, received_at, source, reasons, problems, body_bytes, body, is_masked, is_cut } = event
  return (
    <Layout context={context} title="A failed event" sample={false}>
      <div class="page-head">
        <div>
          <h1>Why could this delivery not be used?</h1>
          <p class="stamp">
            <span>
              Received {format.instant(received_at)} {format.timeZone} from {source}
            </span>
            <span>
              Receipt <code>{event_id}</code>
            </span>
            <a href="/health#failed">All failed events</a>
          </p>
        </div>
      </div>
      <div class="health">
        <Section id="why" title="Why" finding={problems.join(' ')}>
          <ul class="plain">
            {reasons.map((reason) => (
              <li>{reasonWords(reason).todo}</li>
            ))}
          </ul>
        </Section>
        <Section
          id="body"
          title="What was sent"
          finding={`${counted(format, body_bytes, 'byte')}${is_cut ? ', the start of it' : ''}. ${
            is_masked
              ? 'Masked: ids, times and status words are shown; names, e-mails and unknown values are not.'
              : 'As it was sent.'
          }`}
        >
          <pre class="health-body" tabindex={0} aria-label="Body">
            {body}
          </pre>
        </Section>
        <Section id="repair" title="Put it right">
          {canReplay ? (
            <form method="post" action="/health/replay" class="health-replay">
              <input type="hidden" name="which" value={`id:${event_id}`} />
              <FixField text="" />
              <button class="button">Try, change nothing yet</button>
            </form>
          ) : (
            <ByCommandLine />
          )}
        </Section>
      </div>
    </Layout>
  )
}
