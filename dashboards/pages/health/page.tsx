import { lookUp, type Message, rich, t } from '../../../language/translate.ts'
import type { Disk } from '../../arrival.ts'
import type { MemoryStatus } from '../../../reporting/columns/follow.ts'
import type { DriftLine, Health } from '../../../reporting/queries/health.ts'
import type { DigestTrouble } from '../../../digest/open-digest.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted, type Format } from '../../../language/format.ts'
import { silenceWords } from '../../../reporting/words/silence-words.ts'
import { standingWords } from '../../../reporting/words/standing-words.ts'
import { Pulls } from '../../components/pulls.tsx'
import { Arriving } from './arriving.tsx'
import { FailedEvents } from './failed-events.tsx'
import { Contradictions, MissingLists } from './platform.tsx'
import { PlainTable, Section } from '../../components/section.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { AsOf } from '../../components/stamp.tsx'
import { own } from '../../../schemas/own.ts'

type HealthPageProps = {
  context: PageContext
  health: Health
  /** Mails that did not go; `null`: none, or none are sent. */
  mail: DigestTrouble | null
  canReplay: boolean
  disks: Disk[] | null
  held: MemoryStatus
}

/** Is it right, and can I believe it? */
export function HealthPage({ context, health, mail, canReplay, disks, held }: HealthPageProps) {
  const { format } = context
  return (
    <Layout context={context} title={t('Health')} sample={health.sample}>
      <PlainHead title={t('Are the numbers complete?')}>
        <AsOf
          format={format}
          answer={{ as_of: health.as_of, time_zone: format.timeZone, due_zone: format.timeZone }}
        />
      </PlainHead>
      <div class="health">
        <Verdict context={context} health={health} mail={mail} />
        <Arriving context={context} health={health} />
        <Ledger context={context} health={health} />
        <FailedEvents context={context} failed={health.failed} canReplay={canReplay} />
        <Drift context={context} drift={health.drift} />
        <Contradictions context={context} contradictions={health.contradictions} />
        <MissingLists context={context} lists={health.missing_lists} />
        <Reconciled context={context} health={health} />
        <Pulls pulls={health.pulls} context={context} title="Do the scheduled jobs run?" />
        <Machines context={context} health={health} disks={disks} held={held} />
      </div>
    </Layout>
  )
}

type Check = { level: 'good' | 'bad' | 'unknown'; says: string; href: string }

const levelWords: Record<Check['level'], Message> = { good: 'Good', bad: 'Look', unknown: 'Not known' }

function Verdict({
  context: { format },
  health,
  mail,
}: Pick<HealthPageProps, 'context' | 'health' | 'mail'>) {
  const { silence, ledger, failed } = health
  const checks: Check[] = [
    { ...toCompleteCheck(health, format), href: '#ledger' },
    { ...toLedgerCheck(ledger.all, format), href: '#ledger' },
    { level: toSilenceLevel(silence.kind), says: silenceWords(silence, format), href: '#arriving' },
    {
      level: failed.total === 0 ? 'good' : 'bad',
      says:
        failed.total === 0
          ? t('No delivery failed.')
          : t(
              '{n, plural, one {# webhook could not be read and is} other {# webhooks could not be read and are}} not counted.',
              { n: failed.total },
            ),
      href: '#failed',
    },
    ...(mail === null ? [] : [toMailCheck(mail, format)]),
  ]
  return (
    <ul class="health-verdict">
      {checks.map(({ level, says, href }) => (
        <li class={level}>
          <strong>{t(levelWords[level])}</strong> <a href={href}>{says}</a>
        </li>
      ))}
    </ul>
  )
}

type Answer = Omit<Check, 'href'>

/** Before the first delivery there is nothing to be complete. */
function toCompleteCheck({ standing, ledger }: Health, format: Format): Answer {
  const behind = standingWords(standing, format)
  const { reason, complete_through: through } = standing
  if (behind !== null) {
    return {
      level: 'bad',
      says: reason === null ? behind : t('{behind} The reason: {reason}', { behind, reason }),
    }
  }
  if (through === null || ledger.all.given === 0)
    return { level: 'unknown', says: t('Nothing was received yet.') }
  return {
    level: 'good',
    says: t('Numbers are complete up to {moment}.', { moment: format.instant(through) }),
  }
}

function toLedgerCheck({ given, lost, difference }: Health['ledger']['all'], format: Format): Answer {
  const missing = lost + Math.abs(difference)
  if (missing !== 0) {
    const deliveries = counted(format, missing, 'acknowledged delivery is')
    return { level: 'bad', says: t('{deliveries} not accounted for.', { deliveries }) }
  }
  if (given === 0) return { level: 'unknown', says: t('No delivery was acknowledged yet.') }
  const n = format.count(given)
  return {
    level: 'good',
    says: t('Every acknowledged delivery is accounted for: {n} since the beginning.', { n }),
  }
}

function toMailCheck({ count, detail }: DigestTrouble, format: Format): Check {
  const mails = counted(format, count, 'digest or alert')
  return {
    level: 'bad',
    says: `${t('{mails} did not surely go.', { mails })} ${lookUp(detail)}`.trim(),
    href: '/digest',
  }
}

function toSilenceLevel(kind: Health['silence']['kind']): Check['level'] {
  if (kind === 'broken') return 'bad'
  return kind === 'arriving' || kind === 'quiet' ? 'good' : 'unknown'
}

const ledgerHead = [
  'Source',
  'Received',
  'Waiting',
  'Stored',
  'Repeated',
  'Failed§delivery',
  'Lost',
  'Difference',
] as const satisfies [Message, ...Message[]]

function Ledger({ context: { format }, health: { ledger } }: { context: PageContext; health: Health }) {
  const { day, all } = ledger
  const sum = (outcome: 'stored' | 'repeated' | 'failed') =>
    day.reduce((total, line) => total + line[outcome], 0)
  const today = sum('stored') + sum('repeated') + sum('failed')
  const share =
    today === 0
      ? ''
      : ` ${t('{share} were repeats, which count once.', { share: format.percent(sum('repeated') / today) })}`
  const { given, waiting, stored, repeated, failed, lost, difference } = all
  return (
    <Section
      id="ledger"
      title={t('Is every webhook accounted for?')}
      finding={`${t('{deliveries} received in the last 24 hours.', { deliveries: counted(format, today, 'delivery') })}${share}`}
    >
      <PlainTable
        label={t('Ledger')}
        head={ledgerHead.map((name) => t(name)) as [string, ...string[]]}
        numbers={7}
        rows={[
          ...day.map(({ source, ...line }) => [
            t('{source}, last 24 hours', { source }),
            '',
            '',
            ...[line.stored, line.repeated, line.failed].map(format.count),
            '',
            '',
          ]),
          [
            t('All, since the beginning'),
            ...[given, waiting, stored, repeated, failed, lost, difference].map(format.count),
          ],
        ]}
      />
      <p class="quiet">
        {rich(
          'Received minus all other columns must be 0. By hour: <code>rollcall ledger</code>, or the view <code>ledger</code>.',
          { code: (text) => <code>{text}</code> },
        )}
      </p>
    </Section>
  )
}

const driftWords: Record<DriftLine['kind'], Message> = {
  retyped: 'In another form than specified',
  early: 'Before the year 2000',
  ahead: 'More than a day ahead',
  unknown: 'Not specified',
  missing: 'Required, and absent or null',
  event_type: 'Event type that is none of ours',
}

/** A name that was sent can be anything; one that is not an identifier is not shown. */
function toShownName(name: string): string {
  return /^[A-Za-z0-9_.()[\] -]{1,80}$/.test(name) ? name : t('(odd name)')
}

function Drift({ context: { format }, drift }: { context: PageContext; drift: DriftLine[] }) {
  return (
    <Section
      id="drift"
      title={t('Unexpected fields')}
      finding={
        drift.length === 0
          ? t('Everything came as specified.')
          : t('{differences} from the specification. What cannot be read counts as unknown, never as zero.', {
              differences: counted(format, drift.length, 'difference'),
            })
      }
    >
      {drift.length === 0 ? null : (
        <PlainTable
          label={t('Differences from the specification')}
          head={[
            t('Field or event type'),
            t('What'),
            t('First seen'),
            t('Last seen'),
            t('Examples'),
            t('Events'),
          ]}
          numbers={1}
          rows={drift.map(({ kind, name, events, first_seen, last_seen, examples }) => [
            <code>{toShownName(name)}</code>,
            t(driftWords[kind]),
            format.instant(first_seen),
            format.instant(last_seen),
            <>
              {examples.map((id) => (
                <>
                  <a href={`/api/receipts/${id}`}>
                    <code>{id.slice(0, 8)}</code>
                  </a>{' '}
                </>
              ))}
            </>,
            kind === 'unknown' || kind === 'missing'
              ? t('{events} sampled', { events: format.count(events) })
              : format.count(events),
          ])}
        />
      )}
    </Section>
  )
}

const findingWords: Record<string, string> = {
  missing: 'The platform has it, we did not',
  stale: 'The platform knew something newer',
  extra: 'The platform no longer lists it',
  created: 'The event of its creation was lost',
}
const actionWords: Record<string, string> = {
  repaired: 'repaired',
  reported: 'reported; repair is off',
  waiting: 'repaired if it is still so next time',
  held_back: 'held back: too many at once, a person must say so',
  listed: 'not repaired: created before webhooks began, so earlier counts stay too low',
}

const pullJobs = ['users', 'guides', 'guide-assignments', 'guide-assignment-changes']

/** Why nothing was compared, by the jobs that ever ran: one that asks the platform has its address and its token. */
export function toNeverCompared(pulls: readonly { job: string }[]): Message {
  if (pulls.some(({ job }) => job === 'reconcile')) return 'Not compared yet.'
  return pulls.some(({ job }) => pullJobs.includes(job))
    ? 'Never compared: RECONCILE_SCHEDULE is “off”, or its time has not come yet.'
    : 'Never compared. Set PLATFORM_URL and PLATFORM_TOKEN to compare with the platform.'
}

function Reconciled({
  context: { format },
  health: { reconciled, pulls },
}: {
  context: PageContext
  health: Health
}) {
  const { people, last_at, findings } = reconciled
  return (
    <Section
      id="reconciliation"
      title={t('Compared with the platform')}
      finding={
        last_at === null
          ? t(toNeverCompared(pulls))
          : t('The assignments of {people} were compared with the platform, last {last}.', {
              people: counted(format, people, 'person'),
              last: format.ago(last_at),
            })
      }
    >
      {findings.length === 0 ? (
        last_at === null ? null : (
          <p>{t('No difference in the last 30 days.')}</p>
        )
      ) : (
        <PlainTable
          label={t('Differences in the last 30 days')}
          head={[t('Difference'), t('What was done'), t('Assignments')]}
          numbers={1}
          rows={findings.map(({ kind, action, count }) => [
            lookUp(own(findingWords, kind) ?? kind),
            lookUp(own(actionWords, action) ?? action),
            format.count(count),
          ])}
        />
      )}
    </Section>
  )
}

type MachinesProps = { context: PageContext; health: Health; disks: Disk[] | null; held: MemoryStatus }

function Machines({ context: { format, settings }, health, disks, held }: MachinesProps) {
  const gigabytes = (bytes: number) => t('{n} GiB', { n: format.decimal(bytes / 1024 ** 3) })
  return (
    <Section
      id="machines"
      title={t('What runs here?')}
      finding={t('Rollcall {version}, Node {node}, ClickHouse {store}.', {
        version: settings.version,
        node: process.versions.node,
        store: health.store_version,
      })}
    >
      {disks === null ? (
        <p class="quiet">{t('The data is on other machines: their monitoring knows the disks.')}</p>
      ) : (
        <PlainTable
          label={t('Room on the disks')}
          head={[t('Disk of'), t('Free'), t('Of')]}
          numbers={2}
          rows={disks.map(({ name, free_bytes, total_bytes }) => [
            lookUp(name),
            gigabytes(free_bytes),
            gigabytes(total_bytes),
          ])}
        />
      )}
      <p>{heldWords(held, format)}</p>
      <p class="quiet">
        {t('Queries that read their rows from the store: {questions}. Full reads of tables: {tables}.', {
          questions: format.count(held.readQuestions),
          tables: Object.entries(held.fullReadings)
            .map(([table, n]) => `${table} ${format.count(n)}`)
            .join(', '),
        })}
      </p>
    </Section>
  )
}

function heldWords({ versions, bytes, heldAt, since, isReading }: MemoryStatus, format: Format): string {
  if (isReading) return t('The store is being read into memory. Until then, pages take longer.')
  if (heldAt === null) return t('Nothing is cached in memory. Each query reads its rows from the store.')
  const values = {
    n: format.count(versions),
    size: t('{n} MiB', { n: format.decimal(bytes / 1024 ** 2) }),
    from: format.instant(new Date(heldAt).toISOString()),
  }
  if (since === 0)
    return t('All {n} versions of assignments are cached in memory ({size}), since {from}.', values)
  return t(
    '{n} versions are cached in memory ({size}), since {from}: open ones, and those that ended after {after}.',
    {
      ...values,
      after: format.instant(new Date(since).toISOString()),
    },
  )
}
