import { rich, t } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { reasonWords } from './failed-words.ts'
import { counted } from '../../../language/format.ts'
import { PlainTable, Section } from '../../components/section.tsx'
import { Select } from '../../components/field.tsx'
import type { Child } from 'hono/jsx'
import type { FailedEvents as Failed } from '../../../schemas/answers/deliveries.ts'

type FailedEventsProps = { context: PageContext; failed: Failed; canReplay: boolean }

/** By reason, then the newest ones, and the way to put them right. */
export function FailedEvents({ context: { format }, failed, canReplay }: FailedEventsProps) {
  const { reasons, events } = failed
  const finding =
    reasons.length === 0
      ? t('Every delivery could be used.')
      : t('{reasons}. They are kept as they came, and no number has them.', {
          reasons: counted(format, reasons.length, 'reason'),
        })
  return (
    <Section id="failed" title={t('Rejected webhooks')} finding={finding}>
      {reasons.length === 0 ? null : (
        <>
          <PlainTable
            label={t('Failed events by reason')}
            head={[t('Reason'), t('What to do'), t('First seen'), t('Last seen'), t('Events')]}
            numbers={1}
            rows={reasons.map(({ reason, events: count, first_seen, last_seen, sources }) => [
              <>
                {reasonWords(reason).says}
                <span class="reason">
                  <code>{reason}</code> {t('from {list}', { list: sources.join(', ') })}
                </span>
              </>,
              reasonWords(reason).todo,
              format.instant(first_seen),
              format.instant(last_seen),
              format.count(count),
            ])}
          />
          {canReplay ? <ReplayReasons reasons={reasons.map(({ reason }) => reason)} /> : <ByCommandLine />}
          <h3>{t('The newest')}</h3>
          <PlainTable
            label={t('The newest failed events')}
            head={[t('Received'), t('Why'), t('Source'), t('Bytes')]}
            numbers={1}
            rows={events.map(({ event_id, received_at, source, problems, body_bytes }) => [
              <a href={`/health/failed/${event_id}`}>{format.instant(received_at)}</a>,
              problems.join(' '),
              source,
              format.count(body_bytes),
            ])}
          />
        </>
      )}
    </Section>
  )
}

function ReplayReasons({ reasons }: { reasons: string[] }) {
  const options = reasons.map((reason) => [`reason:${reason}`, reasonWords(reason).says] as const)
  return (
    <ReplayForm>
      <Select label={t('Replay')} name="which" options={[...options, ['all', t('All failed events')]]} />
    </ReplayForm>
  )
}

/** The fix of one or many: nobody has to see a body to write it. `children`: which ones. */
export function ReplayForm({ fix = '', children }: { fix?: string; children: Child }) {
  return (
    <form method="post" action="/health/replay" class="health-replay">
      {children}
      <label>
        {t('Fix first, as JSON (optional)')}
        <textarea name="fix" rows={2} spellcheck={false} placeholder='{"timestamp": 1790000000000}'>
          {fix}
        </textarea>
        <small class="quiet">
          {t('Fields to set in each body; null removes one. Everything else stays as it is.')}
        </small>
      </label>
      <button class="button">{t('Try, change nothing yet')}</button>
    </form>
  )
}

export function ByCommandLine() {
  return (
    <p class="quiet">
      {rich('To replay them after an update: {command}, then without {dry}. With a fix: {fix}.', {
        command: <code>rollcall replay --failed --dry-run</code>,
        dry: <code>--dry-run</code>,
        fix: <code>{`--reason no_timestamp --fix '{"timestamp": 1790000000000}'`}</code>,
      })}
    </p>
  )
}
