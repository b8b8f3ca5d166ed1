/** One failed event, and the replay of one or many. */
import { lookUp, t } from '../../../language/translate.ts'
import { languageOfStore } from '../../../language/language.ts'
import { counted } from '../../../language/format.ts'
import type { FailedEventBody, ReplayResult } from '../../../schemas/answers/deliveries.ts'
import { Hidden, Select } from '../../components/field.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { TableView } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { left } from './tables.tsx'
import { reasonWords } from './words.ts'

type ReplayFormProps = { canReplay: boolean; which: string | readonly string[]; fix?: string }

/** A fix is written without reading a body. `which`: as in the form, or reasons to choose from. */
export function ReplayForm({ canReplay, which, fix = '' }: ReplayFormProps) {
  if (!canReplay)
    return <p class="quiet">{t('To replay them after an update: rollcall replay (docs/cli.md).')}</p>
  return (
    <form method="post" action="/health/replay" class="health-replay">
      {typeof which === 'string' ? (
        <Hidden fields={[['which', which]]} />
      ) : (
        <Select
          label={t('Replay')}
          name="which"
          options={[
            ...which.map((reason) => [`reason:${reason}`, reasonWords(reason).says] as const),
            ['all', t('All failed events')],
          ]}
        />
      )}
      <label>
        {t('Fix first, as JSON (optional)')}
        <textarea name="fix" rows={2} spellcheck={false} placeholder='{"timestamp": 1790000000000}'>
          {fix}
        </textarea>
        <small class="quiet">
          {t('Fields to set in each body; null removes one. Everything else stays as it is.')}
        </small>
      </label>
      <button class="button">{t('Preview')}</button>
    </form>
  )
}

const back = () => ({ href: '/health#failed', name: t('All failed events') })

type FailedEventPageProps = FailedEventBody & { context: PageContext; canReplay: boolean }

export function FailedEventPage({ context, canReplay, ...event }: FailedEventPageProps) {
  const { format } = context
  const { event_id, received_at, source, reasons, problems, body_bytes, body, is_masked, is_cut } = event
  const bytes = counted(format, body_bytes, 'byte')
  const values = { received: format.instant(received_at), timeZone: format.timeZone, source }
  return (
    <PlainPage
      context={context}
      title={t('A failed event')}
      heading={t('Why was this webhook rejected?')}
      crumb={back()}
      lead={
        <>
          {t('Received {received} {timeZone} from {source}', values)}. {t('Receipt')} <code>{event_id}</code>
        </>
      }
    >
      {reasons.map(reasonWords).map(({ says, todo }) => (
        <p>
          <strong>{says}</strong> {todo}
        </p>
      ))}
      <p class="quiet" lang={languageOfStore()}>
        {problems.join(' ')}
      </p>
      <h2>{t('What was sent')}</h2>
      <p>
        {is_cut ? t('The first part of {bytes}.', { bytes }) : `${bytes}.`}{' '}
        {is_masked
          ? t('Masked: ids, times and status words are shown; names, emails and unknown values are not.')
          : t('As it was sent.')}
      </p>
      <pre class="health-body" tabindex={0} aria-label={t('Body')}>
        {body}
      </pre>
      <h2>{t('Fix and replay')}</h2>
      <ReplayForm canReplay={canReplay} which={`id:${event_id}`} />
    </PlainPage>
  )
}

/** The values of the form, to show them again. */
export type ReplayFields = { which: string; fix: string }
type ReplayPageProps = {
  context: PageContext
  form: ReplayFields
  /** `isDone`: it ran. */
  answer?: { isDone: boolean; result: ReplayResult }
}

/** The effect of a replay, with the button that runs it; or its result. */
export function ReplayPage({ context, form, answer }: ReplayPageProps) {
  const { isDone = false, result } = answer ?? {}
  return (
    <PlainPage
      context={context}
      title={t('Replay')}
      heading={isDone ? t('Replayed') : t('What would a replay do?')}
      crumb={back()}
      lead={toWhich(form.which)}
    >
      {result && <Result {...result} />}
      {isDone ? null : <ReplayForm canReplay {...form} />}
    </PlainPage>
  )

  function Result({ read, usable, reasons, unfixable }: ReplayResult) {
    const { format } = context
    const values = { some: format.count(usable), failed: counted(format, read, 'failed event') }
    const others = [
      ...Object.entries(reasons).map(([reason, events]) => ({ why: reasonWords(reason).says, events })),
      ...Object.entries(unfixable).map(([why, events]) => ({ why: lookUp(why), events })),
    ]
    return (
      <>
        <p>
          {isDone
            ? t('{some} of {failed} went to the event log and are counted within seconds.', values)
            : t('{some} of {failed} can be used like this. Nothing was changed yet.', values)}
        </p>
        {others.length > 0 && <TableView context={context} table={left} rows={others} />}
        {!isDone && usable > 0 && (
          <form method="post" action="/health/replay">
            <Hidden fields={Object.entries(form)} />
            <button class="button primary" name="step" value="do">
              {t('Replay {webhooks}', { webhooks: counted(format, usable, 'webhook') })}
            </button>
          </form>
        )}
      </>
    )
  }
}

function toWhich(which: string): string {
  const [kind, value = ''] = which.split(':')
  if (kind === 'reason')
    return t('Failed events with this reason: {reason}', { reason: reasonWords(value).says })
  return kind === 'id' ? t('The failed event {id}', { id: value }) : t('All failed events')
}
