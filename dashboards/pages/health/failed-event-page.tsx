import { languageOfStore } from '../../../language/language.ts'
import { t } from '../../../language/translate.ts'
import type { FailedEventBody } from '../../../schemas/answers/failed-events.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { reasonWords } from './failed-words.ts'
import { counted } from '../../../language/format.ts'
import { ByCommandLine, ReplayForm } from './failed-events.tsx'
import { Section } from '../../components/section.tsx'
import { PlainHead } from '../../components/plain-page.tsx'

type FailedEventPageProps = { context: PageContext; event: FailedEventBody; canReplay: boolean }

/** One failed event: why, its body, and the way to put it right. */
export function FailedEventPage({ context, event, canReplay }: FailedEventPageProps) {
  const { format } = context
  const { event_id, received_at, source, reasons, problems, body_bytes, body, is_masked, is_cut } = event
  return (
    <Layout context={context} title={t('A failed event')}>
      <PlainHead title={t('Why could this delivery not be used?')}>
        <span>
          {t('Received {received} {timeZone} from {source}', {
            received: format.instant(received_at),
            timeZone: format.timeZone,
            source,
          })}
        </span>
        <span>
          {t('Receipt')} <code>{event_id}</code>
        </span>
        <a href="/health#failed">{t('All failed events')}</a>
      </PlainHead>
      <div class="health">
        <Section id="why" title={t('Why')} finding={reasons.map((reason) => reasonWords(reason).says).join(' ')}>
          <p class="quiet" lang={languageOfStore()}>
            {problems.join(' ')}
          </p>
          <ul class="plain">
            {reasons.map((reason) => (
              <li>{reasonWords(reason).todo}</li>
            ))}
          </ul>
        </Section>
        <Section
          id="body"
          title={t('What was sent')}
          finding={`${is_cut ? t('{bytes}, the start of it', { bytes: counted(format, body_bytes, 'byte') }) : counted(format, body_bytes, 'byte')}. ${
            is_masked
              ? t('Masked: ids, times and status words are shown; names, e-mails and unknown values are not.')
              : t('As it was sent.')
          }`}
        >
          <pre class="health-body" tabindex={0} aria-label={t('Body')}>
            {body}
          </pre>
        </Section>
        <Section id="repair" title={t('Put it right')}>
          {canReplay ? (
            <ReplayForm>
              <input type="hidden" name="which" value={`id:${event_id}`} />
            </ReplayForm>
          ) : (
            <ByCommandLine />
          )}
        </Section>
      </div>
    </Layout>
  )
}
