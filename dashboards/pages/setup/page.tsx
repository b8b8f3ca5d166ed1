import { type Message, rich, t } from '../../../language/translate.ts'
import type { Targets } from '../../../schemas/metrics/targets.ts'
import { assignmentEventTypes } from '../../../schemas/webhook/event.ts'
import type { RegistrationResult } from '../../../services/registration/registration.ts'
import type { Child } from 'hono/jsx'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import type { SetupData, SetupDelivery } from '../../../reporting/queries/setup.ts'
import { TargetsForm, SetupRegistration } from './forms.tsx'
import { counted } from '../../../language/format.ts'
import { Notices, CopyButton } from '../../components/messages.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { Behind } from '../../components/behind.tsx'
import { PlainTable } from '../../components/section.tsx'

type SetupPageProps = {
  context: PageContext
  setup: SetupData
  canSend: boolean
  /** Whether this process can reach the platform. */
  canRegister: boolean
  /** The result of the check; `null`: no check was run. */
  registration: RegistrationResult | null
  notices: string[]
  /** The targets of the company; `null`: nobody can set them here. */
  targets: Targets | null
  /** The store is empty: this page replaces the others. */
  empty: boolean
}

/** The empty state: from the URL to copy to the first challenge event. Looks again until that arrives. */
export function SetupPage(props: SetupPageProps) {
  const { context, setup, canSend, canRegister, registration, notices, targets, empty } = props
  // Reloading a result page would ask the platform again.
  const waiting = !setup.has.challenge_events && registration === null
  const isRegistered = setup.has.challenge_events || registration?.outcome === 'registered'
  const url = setup.ingest_url ?? 'https://your-server/webhooks/your-token'
  return (
    <Layout
      context={context}
      title={t('Setup')}
      sample={setup.sample}
      {...(waiting ? { refreshSeconds: 10 } : {})}
    >
      <PlainHead title={empty ? t('Let’s get your first event in') : t('Is data arriving?')}>
        {empty
          ? t(
              'Rollcall counts what your learning platform sends to one address. Four steps, about five minutes.',
            )
          : t('{webhooks} stored, {failed} rejected.', {
              webhooks: counted(context.format, setup.totals.stored, 'webhook'),
              failed: context.format.count(setup.totals.failed),
            })}
      </PlainHead>
      <Notices notices={notices} />
      <ol class="setup-steps">
        <Step title={t('Copy the address')} done={setup.totals.stored + setup.totals.failed > 0}>
          {setup.ingest_url === null ? (
            <p>
              {rich(
                'This page was not told the address. It is the public address of your ingest service, followed by <code>/webhooks/</code> and one of your tokens; the process printed it when it started.',
                { code: (text) => <code>{text}</code> },
              )}
            </p>
          ) : (
            <>
              <div class="copy-box">
                <code>{maskUrl(setup.ingest_url)}</code>
                <CopyButton of="ingest-url" />
              </div>
              <Behind summary={t('Reveal')} class="behind secret">
                <div class="copy-box">
                  <code id="ingest-url">{setup.ingest_url}</code>
                </div>
              </Behind>
              <p class="quiet">
                {t(
                  'The address contains the secret. Anybody who has it can send events, so treat it like a password.',
                )}
              </p>
            </>
          )}
        </Step>
        <Step title={t('Register it with your learning platform')} done={isRegistered}>
          {canRegister ? (
            <SetupRegistration knowsUrl={setup.ingest_url !== null} result={registration} />
          ) : null}
          <p>
            {canRegister
              ? t(
                  'Or do it by hand: as an administrator, open the platform’s webhook settings, add a subscription with this address, and tick these challenge events:',
                )
              : t(
                  'As an administrator, open the platform’s webhook settings, add a subscription with this address, and tick these challenge events:',
                )}
          </p>
          <ul class="event-types">
            {assignmentEventTypes.map((type) => (
              <li>
                <code>{type}</code>
              </li>
            ))}
          </ul>
          <p class="quiet">
            {t(
              'Other event types are stored but not used. Older assignments appear as soon as something happens to them.',
            )}
          </p>
        </Step>
        <Step title={t('Send a test event')} done={setup.has.test_events || setup.has.challenge_events}>
          <p>{t('A test event is marked as one, is kept, and changes no number.')}</p>
          {canSend ? (
            <form method="post" action="/setup/test-event">
              <button class="button primary">{t('Send a test event')}</button>
            </form>
          ) : null}
          <Behind
            summary={
              <>
                {t('From a terminal')}
                {setup.ingest_url === null ? '' : t(' (shows the address)')}
              </>
            }
            class="behind secret"
            open={!canSend && setup.ingest_url === null}
          >
            <div class="copy-box">
              <pre tabindex={0} id="test-command">
                {testCommand(url)}
              </pre>
              <CopyButton of="test-command" />
            </div>
          </Behind>
        </Step>
        <Step title={t('Wait for the first challenge event')} done={setup.has.challenge_events}>
          <div id="landing" data-swap data-poll>
            <Deliveries deliveries={setup.deliveries} totals={setup.totals} context={context} />
            {setup.has.challenge_events ? (
              <p class="landed">
                <a class="button primary" href="/">
                  {t('See your numbers')}
                </a>
              </p>
            ) : null}
          </div>
        </Step>
      </ol>
      {empty || targets === null ? null : <TargetsForm targets={targets} />}
    </Layout>
  )
}

/** Its token is the secret: shown only to a person who asks, and on no paper. */
function maskUrl(url: string): string {
  return url.replace(/(\/webhooks\/)[^/]+$/, '$1••••••••')
}

/** A step is ticked by the content of the store, not by a click. */
function Step({ title, done, children }: { title: string; done: boolean; children?: Child }) {
  return (
    <li class={done ? 'done' : undefined}>
      <h2>
        {title}
        {done ? <span class="visually-hidden">{t(', done')}</span> : null}
      </h2>
      {children}
    </li>
  )
}

/** Seconds since 1970 and three zeros: milliseconds, in any shell. */
function testCommand(url: string): string {
  return `curl -X POST '${url.replaceAll("'", "'\\''")}' \\
  -H 'Content-Type: application/json' \\
  -d '{"eventType":"rollcall.test","timestamp":'"$(date +%s)000"'}'`
}

const outcomes: Record<SetupDelivery['outcome'], Message> = {
  stored: 'Stored',
  pending: 'Acknowledged, on its way',
  failed: 'Kept, not usable',
  refused: 'Refused',
}

type DeliveriesProps = { deliveries: SetupDelivery[]; totals: SetupData['totals']; context: PageContext }

function Deliveries({ deliveries, totals, context }: DeliveriesProps) {
  const { format } = context
  if (deliveries.length === 0) {
    return (
      <p class="waiting">
        <span class="dot" aria-hidden="true"></span>
        {totals.stored + totals.failed === 0
          ? t('Nothing has arrived yet. This page keeps looking.')
          : t('Nothing has arrived in the last 7 days. This page keeps looking.')}
      </p>
    )
  }
  return (
    <PlainTable
      label={t('Last deliveries, newest first, times in {timeZone}', { timeZone: format.timeZone })}
      head={[t('Received'), t('Event'), t('Person'), t('Challenge'), t('Happened'), t('Result')]}
      rows={deliveries.map(
        ({ received_at, event_type, person, challenge, event_time, outcome, reason, event_id }) => [
          <time datetime={received_at} title={format.instant(received_at)}>
            {format.ago(received_at)}
          </time>,
          event_type === null ? <span class="quiet">{t('not known')}</span> : <code>{event_type}</code>,
          person ?? '',
          challenge ?? '',
          event_time === null ? '' : format.instant(event_time),
          <>
            <span class={`outcome ${outcome}`}>{t(outcomes[outcome])}</span>
            {reason === null ? null : <span class="reason">{reason}</span>}
            {outcome === 'failed' && event_id !== null ? (
              <a href={`/health/failed/${event_id}`}>{t('See what was sent, and put it right')}</a>
            ) : null}
          </>,
        ],
      )}
    />
  )
}
