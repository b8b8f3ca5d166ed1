import type { ReplayRequest, ReplayResult } from '../../arrival.ts'
import { Layout } from '../../components/layout.tsx'
import { Notices } from '../../components/notices.tsx'
import type { PageContext } from '../../page-context.ts'
import { reasonWords } from '../../text/failed-words.ts'
import { counted } from '../../text/format.ts'
import { FixField } from './failed-events.tsx'
import { HealthTable, Section } from './section.tsx'

type ReplayPageProps = {
  context: PageContext
  form: { which: string; fix: string }
  request?: ReplayRequest
  result?: ReplayResult
  problem?: string
}

/** What a replay would do, with the button that does it; or what it did. */
export function ReplayPage({ context, form, request, result, problem }: ReplayPageProps) {
  const { format } = context
  const isDone = request !== undefined && !request.dryRun
  const canDo = !isDone && (result?.usable ?? 0) > 0
  return (
    <Layout context={context} title="Replay" sample={false}>
      <div class="page-head">
        <div>
          <h1>{isDone ? 'Replayed' : 'What would a replay do?'}</h1>
          <p class="stamp">
            <span>{toWhich(form.which)}</span>
            <a href="/health#failed">Back to Health</a>
          </p>
        </div>
      </div>
      <Notices notices={problem === undefined ? [] : [problem]} />
      <div class="health">
        {result === undefined ? null : (
          <Section id="result" title={isDone ? 'Done' : 'Nothing was changed yet'} finding={toFinding(result, isDone)}>
            <Why result={result} context={context} />
            {canDo ? (
              <form method="post" action="/health/replay">
                <input type="hidden" name="which" value={form.which} />
                <input type="hidden" name="fix" value={form.fix} />
                <button class="button primary" name="step" value="do">
                  Replay {counted(format, result.usable, 'delivery', 'deliveries')}
                </button>
              </form>
            ) : null}
          </Section>
        )}
        {isDone ? null : (
          <Section id="again" title="Try it another way">
            <form method="post" action="/health/replay" class="health-replay">
              <input type="hidden" name="which" value={form.which} />
              <FixField text={form.fix} />
              <button class="button">Try, change nothing yet</button>
            </form>
          </Section>
        )}
      </div>
    </Layout>
  )

  function toFinding({ read, usable }: ReplayResult, done: boolean): string {
    const of = `${format.count(usable)} of ${counted(format, read, 'failed event')}`
    if (done) return `${of} went to the event log and are counted within seconds. A repeat would change nothing.`
    return usable === 0
      ? `None of ${counted(format, read, 'failed event')} can be used like this.`
      : `${of} can be used like this.`
  }
}

function Why({ result, context: { format } }: { result: ReplayResult; context: PageContext }) {
  const rows = [
    ...Object.entries(result.reasons).map(([reason, events]) => [reasonWords(reason).says, format.count(events)]),
    ...Object.entries(result.unfixable).map(([why, events]) => [why, format.count(events)]),
  ]
  if (rows.length === 0) return null
  return <HealthTable label="Why the others stay" head={['Why the others stay', 'Events']} numbers={1} rows={rows} />
}

function toWhich(which: string): string {
  const [kind, value = ''] = which.split(':')
  if (kind === 'reason') return `Failed events with this reason: ${reasonWords(value).says}`
  return kind === 'id' ? `The failed event ${value}` : 'All failed events'
}
