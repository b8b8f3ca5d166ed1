import { lookUp, t } from '../../../language/translate.ts'
import type { ReplayResult } from '../../../schemas/answers/deliveries.ts'
import type { ReplayRequest } from '../../arrival.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { reasonWords, ReplayForm } from './failed-events.tsx'
import { counted } from '../../../language/format.ts'
import { PlainTable, Section } from '../../components/section.tsx'
import { Notices } from '../../components/messages.tsx'
import { PlainHead } from '../../components/plain-page.tsx'

type ReplayPageProps = {
  context: PageContext
  form: { which: string; fix: string }
  request?: ReplayRequest
  result?: ReplayResult
  problem?: string
}

/** The effect of a replay, with the button that runs it; or its result. */
export function ReplayPage({ context, form, request, result, problem }: ReplayPageProps) {
  const { format } = context
  const isDone = request !== undefined && !request.dryRun
  const canDo = !isDone && (result?.usable ?? 0) > 0
  return (
    <Layout context={context} title={t('Replay')}>
      <PlainHead title={isDone ? t('Replayed') : t('What would a replay do?')}>
        <span>{toWhich(form.which)}</span>
        <a href="/health#failed">{t('Back to Health')}</a>
      </PlainHead>
      <Notices notices={problem === undefined ? [] : [problem]} />
      <div class="health">
        {result === undefined ? null : (
          <Section
            id="result"
            title={isDone ? t('Done') : t('Nothing was changed yet')}
            finding={toFinding(result, isDone)}
          >
            <Why result={result} context={context} />
            {canDo ? (
              <form method="post" action="/health/replay">
                <input type="hidden" name="which" value={form.which} />
                <input type="hidden" name="fix" value={form.fix} />
                <button class="button primary" name="step" value="do">
                  {t('Replay {deliveries}', { deliveries: counted(format, result.usable, 'delivery') })}
                </button>
              </form>
            ) : null}
          </Section>
        )}
        {isDone ? null : (
          <Section id="again" title={t('Try it another way')}>
            <ReplayForm fix={form.fix}>
              <input type="hidden" name="which" value={form.which} />
            </ReplayForm>
          </Section>
        )}
      </div>
    </Layout>
  )

  function toFinding({ read, usable }: ReplayResult, done: boolean): string {
    const failed = counted(format, read, 'failed event')
    const some = format.count(usable)
    if (done)
      return t(
        '{some} of {failed} went to the event log and are counted within seconds. A repeat would change nothing.',
        { some, failed },
      )
    return usable === 0
      ? t('None of {failed} can be used like this.', { failed })
      : t('{some} of {failed} can be used like this.', { some, failed })
  }
}

function Why({ result, context: { format } }: { result: ReplayResult; context: PageContext }) {
  const rows = [
    ...Object.entries(result.reasons).map(([reason, events]) => [
      reasonWords(reason).says,
      format.count(events),
    ]),
    ...Object.entries(result.unfixable).map(([why, events]) => [lookUp(why), format.count(events)]),
  ]
  if (rows.length === 0) return null
  return (
    <PlainTable
      label={t('Why the others stay')}
      head={[t('Why the others stay'), t('Events')]}
      numbers={1}
      rows={rows}
    />
  )
}

function toWhich(which: string): string {
  const [kind, value = ''] = which.split(':')
  if (kind === 'reason')
    return t('Failed events with this reason: {reason}', { reason: reasonWords(value).says })
  return kind === 'id' ? t('The failed event {id}', { id: value }) : t('All failed events')
}
