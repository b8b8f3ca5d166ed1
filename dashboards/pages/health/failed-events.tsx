import { rich, t, type Message } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { PlainTable, Section } from '../../components/section.tsx'
import { Select } from '../../components/field.tsx'
import type { Child } from 'hono/jsx'
import type { FailedEvents as Failed, FailedEventBody } from '../../../schemas/answers/deliveries.ts'
import type { FailureReason } from '../../../schemas/webhook/parse-delivery.ts'
import { languageOfStore } from '../../../language/language.ts'
import { Layout } from '../../components/layout.tsx'
import { PlainHead } from '../../components/plain-page.tsx'

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

function ByCommandLine() {
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

/** Why a delivery cannot be used, and what to do about it, for people. */
const words: Record<FailureReason | 'damaged', { says: Message; todo: Message }> = {
  not_json: {
    says: 'The body is not JSON.',
    todo: 'Something else sends to this address, or a proxy changes bodies. It cannot be put right here.',
  },
  not_an_object: {
    says: 'The body is JSON, but not one event.',
    todo: 'Something else sends to this address. It cannot be put right here.',
  },
  no_event_type: {
    says: 'It does not say what happened: eventType is missing, empty or no text.',
    todo: 'Update Rollcall and replay, or set eventType by a fix.',
  },
  no_timestamp: {
    says: 'It does not say when it happened: timestamp is missing or cannot be read.',
    todo: 'Update Rollcall and replay, or set timestamp by a fix.',
  },
  no_assignment_id: {
    says: 'It does not say which assignment it is about.',
    todo: 'Update Rollcall and replay, or set challengeAssignment.id of a single one by a fix.',
  },
  not_storable: {
    says: 'It can be read, but the store refuses what it holds.',
    todo: 'Report it with the words of the store, then replay after an update.',
  },
  damaged: {
    says: 'The event log was damaged where it kept this delivery: the body is not what was received.',
    todo: 'Run rollcall backfill: the platform still knows what it said.',
  },
}

export function reasonWords(reason: string): { says: string; todo: string } {
  const message = Object.hasOwn(words, reason) ? words[reason as FailureReason] : undefined
  if (message === undefined) return { says: reason, todo: t('See docs/cli.md.') }
  return { says: t(message.says), todo: t(message.todo) }
}

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
        <Section
          id="why"
          title={t('Why')}
          finding={reasons.map((reason) => reasonWords(reason).says).join(' ')}
        >
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
