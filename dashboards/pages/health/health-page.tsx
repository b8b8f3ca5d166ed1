import type { Disk } from '../../arrival.ts'
import type { DriftLine, Health, LedgerLine } from '../../../reporting/queries/health.ts'
import type { DigestTrouble } from '../../digest/open-digest.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted, type Format } from '../../text/format.ts'
import { silenceWords } from '../../text/silence-words.ts'
import { standingWords } from '../../text/standing-words.ts'
import { SetupPulls } from '../setup/setup-pulls.tsx'
import { Arriving } from './arriving.tsx'
import { FailedEvents } from './failed-events.tsx'
import { HealthTable, Section } from './section.tsx'

type HealthPageProps = {
  context: PageContext
  health: Health
  /** Mails that did not go; `null`: none, or none are sent. */
  mail: DigestTrouble | null
  canReplay: boolean
  disks: Disk[] | null
}

/** Is it right, and can I believe it? */
export function HealthPage({ context, health, mail, canReplay, disks }: HealthPageProps) {
  const { format } = context
  return (
    <Layout context={context} title="Health" sample={health.sample}>
      <div class="page-head">
        <div>
          <h1>Can I believe the numbers?</h1>
          <p class="stamp">
            <span>
              As of <time datetime={health.as_of}>{format.instant(health.as_of)}</time> {format.timeZone}
            </span>
          </p>
        </div>
      </div>
      <div class="health">
        <Verdict context={context} health={health} mail={mail} />
        <Arriving context={context} health={health} />
        <Ledger context={context} health={health} />
        <FailedEvents context={context} failed={health.failed} canReplay={canReplay} />
        <Drift context={context} drift={health.drift} />
        <Reconciled context={context} health={health} />
        <SetupPulls pulls={health.pulls} context={context} />
        <Machines context={context} health={health} disks={disks} />
      </div>
    </Layout>
  )
}

type Check = { level: 'good' | 'bad' | 'unknown'; says: string; href: string }

const levelWords: Record<Check['level'], string> = { good: 'Good', bad: 'Look', unknown: 'Not known' }

function Verdict({ context: { format }, health, mail }: Pick<HealthPageProps, 'context' | 'health' | 'mail'>) {
  const { standing, silence, ledger, failed } = health
  const behind = standingWords(standing, format)
  const through = standing.complete_through
  const failedCount = failed.reasons.reduce((all, { events }) => all + events, 0)
  const checks: Check[] = [
    behind === null
      ? {
          level: through === null ? 'unknown' : 'good',
          says:
            through === null ? 'Nothing was received yet.' : `Numbers are complete up to ${format.instant(through)}.`,
          href: '#ledger',
        }
      : {
          level: 'bad',
          says: standing.reason === null ? behind : `${behind} The reason: ${standing.reason}`,
          href: '#ledger',
        },
    ledger.all.difference === 0
      ? {
          level: ledger.all.acknowledged === 0 ? 'unknown' : 'good',
          says: `Every acknowledged delivery is accounted for: ${format.count(ledger.all.acknowledged)} since the beginning.`,
          href: '#ledger',
        }
      : {
          level: 'bad',
          says: `${counted(format, Math.abs(ledger.all.difference), 'acknowledged delivery is', 'acknowledged deliveries are')} not accounted for.`,
          href: '#ledger',
        },
    {
      level: toSilenceLevel(silence.kind),
      says: silenceWords(silence, format),
      href: '#arriving',
    },
    {
      level: failedCount === 0 ? 'good' : 'bad',
      says:
        failedCount === 0
          ? 'No delivery failed.'
          : `${counted(format, failedCount, 'delivery', 'deliveries')} could not be used and ${failedCount === 1 ? 'is' : 'are'} in no number.`,
      href: '#failed',
    },
    ...(mail === null ? [] : [toMailCheck(mail, format)]),
  ]
  return (
    <ul class="health-verdict">
      {checks.map(({ level, says, href }) => (
        <li class={level}>
          <strong>{levelWords[level]}</strong> <a href={href}>{says}</a>
        </li>
      ))}
    </ul>
  )
}

function toMailCheck({ count, detail }: DigestTrouble, format: Format): Check {
  const mails = counted(format, count, 'digest or alert', 'digests and alerts')
  return { level: 'bad', says: `${mails} did not surely go. ${detail}`.trim(), href: '/digest' }
}

function toSilenceLevel(kind: Health['silence']['kind']): Check['level'] {
  if (kind === 'broken') return 'bad'
  return kind === 'arriving' || kind === 'quiet' ? 'good' : 'unknown'
}

const ledgerHead: [string, ...string[]] = [
  'Source',
  'Acknowledged',
  'Waiting',
  'Stored',
  'Duplicate',
  'Failed',
  'Difference',
]

function Ledger({ context: { format }, health: { ledger } }: { context: PageContext; health: Health }) {
  const { day, all } = ledger
  const cells = (line: Omit<LedgerLine, 'source'>) =>
    [line.acknowledged, line.waiting, line.stored, line.duplicate, line.failed, line.difference].map(format.count)
  const today = day.reduce((sum, line) => sum + line.acknowledged, 0)
  const repeats = day.reduce((sum, line) => sum + line.duplicate, 0)
  const share = today === 0 ? '' : ` ${format.percent(repeats / today)} were repeats, which count once.`
  return (
    <Section
      id="ledger"
      title="Where is every delivery?"
      finding={`${counted(format, today, 'delivery', 'deliveries')} acknowledged in the last 24 hours.${share}`}
    >
      <HealthTable
        label="Ledger"
        head={ledgerHead}
        numbers={6}
        rows={[
          ...day.map((line) => [`${line.source}, last 24 hours`, ...cells(line)]),
          ['All, since the beginning', ...cells(all)],
        ]}
      />
      <p class="quiet">
        Acknowledged less waiting, stored, duplicate and failed: the difference must be 0. By the hour:{' '}
        <code>rollcall ledger</code>, or the view <code>ledger</code>.
      </p>
    </Section>
  )
}

const driftWords: Record<DriftLine['kind'], string> = {
  retyped: 'In another form than specified',
  unknown: 'Not specified',
  missing: 'Specified, and not sent',
  event_type: 'Event type that is none of ours',
}

/** A name that was sent can be anything; what is no identifier is not shown. */
function toShownName(name: string): string {
  return /^[A-Za-z0-9_.()[\] -]{1,80}$/.test(name) ? name : '(odd name)'
}

function Drift({ context: { format }, drift }: { context: PageContext; drift: DriftLine[] }) {
  return (
    <Section
      id="drift"
      title="Does the platform send what it says?"
      finding={
        drift.length === 0
          ? 'Everything came as specified.'
          : `${counted(format, drift.length, 'difference')} from the specification. What cannot be read counts as unknown, never as zero.`
      }
    >
      {drift.length === 0 ? null : (
        <HealthTable
          label="Differences from the specification"
          head={['Field or event type', 'What', 'First seen', 'Last seen', 'Events']}
          numbers={1}
          rows={drift.map(({ kind, name, events, first_seen, last_seen }) => [
            <code>{toShownName(name)}</code>,
            driftWords[kind],
            format.instant(first_seen),
            format.instant(last_seen),
            `${format.count(events)}${kind === 'unknown' || kind === 'missing' ? ' of a sample' : ''}`,
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
}
const actionWords: Record<string, string> = {
  healed: 'healed',
  reported: 'reported; healing is off',
  waiting: 'healed if it is still so next time',
  held_back: 'held back: too many at once, a person must say so',
}

function Reconciled({ context: { format }, health: { reconciled } }: { context: PageContext; health: Health }) {
  const { people, last_at, findings } = reconciled
  return (
    <Section
      id="reconciliation"
      title="Does the platform say the same?"
      finding={
        last_at === null
          ? 'Never compared. Set PLATFORM_URL and PLATFORM_TOKEN to compare with the platform.'
          : `The assignments of ${counted(format, people, 'person', 'people')} were compared with the platform, last ${format.ago(last_at)}.`
      }
    >
      {findings.length === 0 ? (
        last_at === null ? null : (
          <p>No difference in the last 30 days.</p>
        )
      ) : (
        <HealthTable
          label="Differences in the last 30 days"
          head={['Difference', 'What was done', 'Assignments']}
          numbers={1}
          rows={findings.map(({ kind, action, count }) => [
            findingWords[kind] ?? kind,
            actionWords[action] ?? action,
            format.count(count),
          ])}
        />
      )}
    </Section>
  )
}

type MachinesProps = { context: PageContext; health: Health; disks: Disk[] | null }

function Machines({ context: { format, settings }, health, disks }: MachinesProps) {
  const gigabytes = (bytes: number) => `${format.decimal(bytes / 1024 ** 3)} GiB`
  return (
    <Section
      id="machines"
      title="What runs here?"
      finding={`Rollcall ${settings.version}, Node ${process.versions.node}, ClickHouse ${health.store_version}.`}
    >
      {disks === null ? (
        <p class="quiet">The data is on other machines: their monitoring knows the disks.</p>
      ) : (
        <HealthTable
          label="Room on the disks"
          head={['Disk of', 'Free', 'Of']}
          numbers={2}
          rows={disks.map(({ name, free_bytes, total_bytes }) => [name, gigabytes(free_bytes), gigabytes(total_bytes)])}
        />
      )}
    </Section>
  )
}
