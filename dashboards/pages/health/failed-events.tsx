import type { FailedEvents as Failed } from '../../../reporting/queries/failed.ts'
import type { PageContext } from '../../page-context.ts'
import { reasonWords } from '../../text/failed-words.ts'
import { counted } from '../../text/format.ts'
import { HealthTable, Section } from './section.tsx'

type FailedEventsProps = { context: PageContext; failed: Failed; canReplay: boolean }

/** By reason, then the newest ones, and the way to put them right. */
export function FailedEvents({ context: { format }, failed, canReplay }: FailedEventsProps) {
  const { reasons, events } = failed
  const finding =
    reasons.length === 0
      ? 'Every delivery could be used.'
      : `${counted(format, reasons.length, 'reason')}. They are kept as they came, and no number has them.`
  return (
    <Section id="failed" title="What could not be used?" finding={finding}>
      {reasons.length === 0 ? null : (
        <>
          <HealthTable
            label="Failed events by reason"
            head={['Reason', 'What to do', 'First seen', 'Last seen', 'Events']}
            numbers={1}
            rows={reasons.map(({ reason, events: count, first_seen, last_seen, sources }) => [
              <>
                {reasonWords(reason).says}
                <span class="reason">
                  <code>{reason}</code> from {sources.join(', ')}
                </span>
              </>,
              reasonWords(reason).todo,
              format.instant(first_seen),
              format.instant(last_seen),
              format.count(count),
            ])}
          />
          {canReplay ? <ReplayForm reasons={reasons.map(({ reason }) => reason)} /> : <ByCommandLine />}
          <h3>The newest</h3>
          <HealthTable
            label="The newest failed events"
            head={['Received', 'Why', 'Source', 'Bytes']}
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

function ReplayForm({ reasons }: { reasons: string[] }) {
  return (
    <form method="post" action="/health/replay" class="health-replay">
      <label>
        Replay
        <select name="which">
          {reasons.map((reason) => (
            <option value={`reason:${reason}`}>{reasonWords(reason).says}</option>
          ))}
          <option value="all">All failed events</option>
        </select>
      </label>
      <FixField text="" />
      <button class="button">Try, change nothing yet</button>
    </form>
  )
}

/** The fix of one or many: nobody has to see a body to write it. */
export function FixField({ text }: { text: string }) {
  return (
    <label>
      Fix first, as JSON (optional)
      <textarea name="fix" rows={2} spellcheck={false} placeholder='{"timestamp": 1790000000000}'>
        {text}
      </textarea>
      <small class="quiet">Fields to set in each body; null removes one. Everything else stays as it is.</small>
    </label>
  )
}

export function ByCommandLine() {
  return (
    <p class="quiet">
      To replay them after an update: <code>rollcall replay --failed --dry-run</code>, then without{' '}
      <code>--dry-run</code>. With a fix:{' '}
      <code>--reason no_timestamp --fix '&#123;"timestamp": 1790000000000&#125;'</code>.
    </p>
  )
}
