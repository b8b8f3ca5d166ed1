import type { Child } from 'hono/jsx'
import { type Message, rich, t } from '../../../language/translate.ts'
import { counted, type Format } from '../../../language/format.ts'
import type { SetupDelivery, SetupPull } from '../../../reporting/queries/setup.ts'
import { assignmentEventTypes } from '../../../schemas/webhook/event.ts'
import { isLoopback } from '../../../services/runtime/http/known-hosts.ts'
import { Behind } from '../../components/behind.tsx'
import { Form } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import { CopyButton } from '../../components/messages.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { type Level, Status } from '../../components/status.tsx'
import { column, type Table, TableView } from '../../components/table.tsx'
import { Registration, TargetsForm } from './forms.tsx'
import type { SetupView } from './read.ts'

/** From the address to copy to the first webhook. Then the latest webhooks, with the connection folded. */
export function SetupPage(props: SetupView) {
  const { context, setup, canFetch, registration, targets } = props
  const { has, totals } = setup
  const isConnected = has.challenge_events
  const latest = (
    <div id="landing" data-swap data-poll>
      <Latest {...props} />
    </div>
  )
  const existing = canFetch && <Existing {...props} />
  const fetchTitle = t('Fetch existing assignments')
  const connect = [
    { title: t('Copy the address'), content: <Address {...props} /> },
    { title: t('Register it with your learning platform'), content: <Register {...props} /> },
    { title: t('Send a test event'), content: <TestEvent {...props} /> },
  ]
  const wait = [
    ...(existing ? [{ title: fetchTitle, content: existing }] : []),
    { title: t('Wait for the first webhook'), content: latest },
  ]
  const steps = (
    <ol class="setup-steps">
      {[...connect, ...(isConnected ? [] : wait)].map(({ title, content }) => (
        <li>
          <h2>{title}</h2>
          {content}
        </li>
      ))}
    </ol>
  )
  return (
    <Layout context={context} title={t('Setup')} sample={setup.sample}>
      <PlainHead title={isConnected ? t('Is data arriving?') : t('Let’s get your first event in')}>
        {isConnected
          ? t('{webhooks} stored, {failed} rejected.', {
              webhooks: counted(context.format, totals.stored, 'webhook'),
              failed: context.format.count(totals.failed),
            })
          : t('Rollcall counts what your learning platform sends to one address.')}
      </PlainHead>
      {isConnected ? (
        <>
          <Panel id="latest" className="setup-part" title={t('Latest webhooks')}>
            {latest}
          </Panel>
          {existing && (
            <Panel id="fetch" className="setup-part" title={fetchTitle}>
              {existing}
            </Panel>
          )}
          {targets === null ? null : <TargetsForm {...targets} />}
          <Behind
            id="connection"
            class="behind setup-part"
            summary={t('Connection')}
            open={registration !== null}
          >
            {steps}
          </Behind>
        </>
      ) : (
        steps
      )}
    </Layout>
  )
}

function Address({ setup: { ingest_url: url } }: SetupView) {
  if (url === null)
    return (
      <p>
        {rich(
          'The process printed the address when it started: the public address of your ingest service, then <code>/webhooks/</code> and a token.',
          { code: (text) => <code>{text}</code> },
        )}
      </p>
    )
  return (
    <>
      {/* Its token is the secret: shown only on request, and never on paper. */}
      <div class="copy-box">
        <code>{url.replace(/(\/webhooks\/)[^/]+$/, '$1••••••••')}</code>
        <CopyButton of="ingest-url" />
      </div>
      <Behind summary={t('Reveal')} class="behind secret">
        <div class="copy-box">
          <code id="ingest-url">{url}</code>
        </div>
      </Behind>
      {isLoopback(URL.parse(url)?.hostname ?? '') && (
        <p>
          <Status level="check">
            {t(
              'This address works on this machine only. Set PUBLIC_INGEST_URL to your https address before you register it.',
            )}
          </Status>
        </p>
      )}
      <p class="quiet">
        {t('The address contains the secret: anyone who has it can send events. Treat it like a password.')}
      </p>
    </>
  )
}

function Register({ setup, canRegister, registration }: SetupView) {
  return (
    <>
      {canRegister && <Registration knowsUrl={setup.ingest_url !== null} result={registration} />}
      <p>
        {canRegister ? t('Or by hand:') : ''}{' '}
        {t(
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
        {t('Other event types are stored but not used.')}{' '}
        {canRegister ? '' : t('Older assignments appear as soon as something happens to them.')}
      </p>
    </>
  )
}

function TestEvent({ setup: { ingest_url: url }, canSend }: SetupView) {
  const address = (url ?? 'https://your-server/webhooks/your-token').replaceAll("'", "'\\''")
  return (
    <>
      <p>{t('Test events are stored but never counted.')}</p>
      {canSend ? (
        <Form action="/setup/test-event" button={t('Send a test event')} />
      ) : (
        <pre class="health-body" tabindex={0}>{`curl -X POST '${address}' \\
  -H 'Content-Type: application/json' \\
  -d '{"eventType":"rollcall.test","timestamp":'"$(date +%s)000"'}'`}</pre>
      )}
    </>
  )
}

/** The job that fetches them. */
function Existing({ context: { format }, setup: { pulls } }: SetupView) {
  const fetch = pulls.find(({ job }) => job === 'fetch-existing')
  return (
    <div id="existing" class="registration" data-swap>
      <p>{t('Fetches people and their assignments from the platform: one call per person.')}</p>
      {fetch && (
        <p role="status">
          {toProgress(fetch, format)} {fetch.error ?? fetch.note}
        </p>
      )}
      {fetch?.state !== 'running' && <Form action="/setup/fetch" button={t('Fetch existing assignments')} />}
    </div>
  )
}

/** Its items are people. */
function toProgress({ state, items, total }: SetupPull, format: Format): Child {
  const count = format.count(items)
  if (state === 'failed')
    return <Status level="bad">{t('Failed at {items}, will resume', { items: count })}</Status>
  if (state !== 'running') {
    const people = counted(format, items, 'person')
    return <Status level="ok">{t('Fetched the assignments of {people}.', { people })}</Status>
  }
  if (total === null) return [<progress />, ' ', t('Fetching people.')]
  const words = t('Fetched {items} of {total} people.', { items: count, total: format.count(total) })
  return [<progress max={total} value={items} />, ' ', words]
}

const outcomes: Record<SetupDelivery['outcome'], [Level, Message]> = {
  stored: ['ok', 'Stored'],
  pending: ['none', 'On its way'],
  failed: ['bad', 'Rejected'],
  refused: ['bad', 'Refused'],
}

const latestTable = (timeZone: string): Table<SetupDelivery> => ({
  label: () => t('Latest webhooks, newest first, times in {timeZone}', { timeZone }),
  columns: [
    column('instant', 'received_at', 'Received', {
      cell: ({ received_at: at }, { format }) => (
        <time datetime={at} title={format.instant(at)}>
          {format.ago(at)}
        </time>
      ),
    }),
    column('text', 'event_type', 'Event', {
      optional: true,
      cell: ({ event_type: type }) =>
        type === null ? <span class="quiet">{t('not known')}</span> : <code>{type}</code>,
    }),
    column('text', 'person', 'Person', ({ person }) => person ?? '', { optional: true }),
    column('text', 'challenge', 'Challenge', ({ challenge }) => challenge ?? '', { optional: true }),
    column('text', 'result', 'Result', ({ outcome }) => outcome, {
      cell: ({ outcome, reason, event_id: id }) => (
        <>
          <Status level={outcomes[outcome][0]}>{t(outcomes[outcome][1])}</Status>
          {reason === null ? null : <span class="reason">{reason}</span>}
          {outcome === 'failed' && id !== null && <a href={`/health/failed/${id}`}>{t('View and fix')}</a>}
        </>
      ),
    }),
  ],
})

function Latest({ context, setup: { deliveries, totals } }: SetupView) {
  if (deliveries.length > 0)
    return <TableView context={context} table={latestTable(context.format.timeZone)} rows={deliveries} />
  return (
    <p class="waiting">
      <span class="dot" aria-hidden="true"></span>
      {totals.stored + totals.failed === 0
        ? t('Nothing has arrived yet. This page keeps looking.')
        : t('Nothing has arrived in the last 7 days. This page keeps looking.')}
    </p>
  )
}
