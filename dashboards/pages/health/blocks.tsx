/** What Health checks: a line each, and the rows behind it. */
import type { Child } from 'hono/jsx'
import { lookUp, type Message, t } from '../../../language/translate.ts'
import { counted, type Format } from '../../../language/format.ts'
import type { DigestTrouble } from '../../../digest/open-digest.ts'
import type { MemoryStatus } from '../../../reporting/columns/follow.ts'
import type { Health } from '../../../reporting/queries/health.ts'
import { version } from '../../../services/runtime/version.ts'
import { silenceWords } from '../../../reporting/words/silence-words.ts'
import { standingWords } from '../../../reporting/words/standing-words.ts'
import { Behind } from '../../components/behind.tsx'
import type { Level } from '../../components/status.tsx'
import { type Table, TableView } from '../../components/table.tsx'
import { ReplayForm } from './failed-events.tsx'
import type { HealthView } from './read.ts'
import * as tables from './tables.tsx'

export type Block = {
  id: string
  /** Of its section. Default: it is a line only. */
  title?: Message
  /** In the line of what is fine. Default: it is always open. */
  name?: Message
  level: Level
  says: string
  /** Whether its line is there when all is well. */
  isAlways?: true
  content?: Child | false
}

export function toBlocks({ context, health, mail, canReplay, disks, held }: HealthView): Block[] {
  const { format } = context
  const { ledger, silence, failed, contradictions, missing_lists: lists, reconciled, pulls } = health
  // Our own test event is no surprise.
  const drift = health.drift.filter(({ name }) => name !== 'rollcall.test')
  const show = <Row,>(table: Table<Row>, rows: readonly Row[]) =>
    rows.length > 0 && <TableView context={context} table={table} rows={rows} />
  const isUndecided = reconciled.findings.some(
    ({ action }) => action === 'reported' || action === 'held_back',
  )
  const isFull = disks?.some(({ free_bytes, total_bytes }) => free_bytes < total_bytes / 10) ?? false
  const hasFailed = pulls.some(({ state }) => state === 'failed')
  const all = { source: t('All, since the beginning'), ...ledger.all }
  const day = ledger.day.map((line) => ({ ...line, source: t('{source}, last 24 hours', line) }))
  const blocks: (Block | false)[] = [
    { id: 'complete', isAlways: true, ...toComplete(health, format) },
    {
      id: 'ledger',
      title: 'Is every webhook accounted for?',
      name: 'ledger',
      isAlways: true,
      ...toAccounted(ledger.all, format),
      content: (
        <>
          <p>{toLastDay(ledger.day, format)}</p>
          {show(tables.ledger, [...day, all])}
          <p class="quiet">{t('Received minus all other columns must be 0. By hour: rollcall ledger.')}</p>
        </>
      ),
    },
    {
      id: 'arriving',
      title: 'Arriving',
      isAlways: true,
      level: /arriving|quiet/.test(silence.kind) ? 'ok' : silence.kind === 'broken' ? 'bad' : 'none',
      says: silenceWords(silence, format),
      content: (
        <>
          <p>
            {t('{webhooks} in the last hour, {day} in the last 24 hours.', {
              webhooks: counted(format, sum(health.minutes), 'webhook'),
              day: format.count(sum(health.hours.slice(-24))),
            })}
          </p>
          <p>{toDelay(health, format)}</p>
          <Behind summary={t('Numbers by hour')}>
            {show(tables.hours(health.hours), health.hours.toReversed())}
          </Behind>
        </>
      ),
    },
    {
      id: 'failed',
      title: 'Rejected webhooks',
      name: 'rejected',
      level: failed.total === 0 ? 'ok' : 'bad',
      says: t(
        '{n, plural, =0 {Every webhook could be read.} one {# webhook could not be read and is not counted.} other {# webhooks could not be read and are not counted.}}',
        { n: failed.total },
      ),
      content: failed.total > 0 && (
        <>
          {show(tables.reasons, failed.reasons)}
          <ReplayForm canReplay={canReplay} which={failed.reasons.map(({ reason }) => reason)} />
          <h3>{t('The newest')}</h3>
          {show(tables.newest, failed.events)}
        </>
      ),
    },
    {
      id: 'drift',
      title: 'Unexpected fields',
      name: 'fields',
      level: drift.length === 0 ? 'ok' : 'check',
      says: t(
        '{n, plural, =0 {All fields are as specified.} one {# difference from the specification. Unreadable values count as unknown.} other {# differences from the specification. Unreadable values count as unknown.}}',
        { n: drift.length },
      ),
      content: show(tables.oddities('Unexpected fields'), drift),
    },
    {
      id: 'contradictions',
      title: 'Contradictions',
      name: 'contradictions',
      level: contradictions.total === 0 ? 'ok' : 'check',
      says: t(
        '{n, plural, =0 {No webhook contradicts itself.} one {# webhook contradicts itself. No number changes.} other {# webhooks contradict themselves. No number changes.}}',
        { n: contradictions.total },
      ),
      content: show(tables.oddities('Contradictions'), contradictions.lines),
    },
    {
      id: 'reconciliation',
      title: 'Compared with the platform',
      name: 'comparison',
      level: reconciled.last_at === null ? 'none' : isUndecided ? 'check' : 'ok',
      says:
        reconciled.last_at === null
          ? t('Never compared. Check PLATFORM_URL, PLATFORM_TOKEN and RECONCILE_SCHEDULE.')
          : t('The assignments of {people} were compared with the platform, last {last}.', {
              people: counted(format, reconciled.people, 'person'),
              last: format.ago(reconciled.last_at),
            }),
      content: (reconciled.findings.length > 0 || lists.length > 0) && (
        <>
          {show(tables.findings, reconciled.findings)}
          {lists.map(({ path, list }) => (
            <p>
              {t('The platform does not offer {path}.', { path })} {t(tables.listWords[list])}
            </p>
          ))}
        </>
      ),
    },
    {
      id: 'pulls',
      title: 'Scheduled jobs',
      name: 'jobs',
      level: hasFailed ? 'bad' : 'ok',
      says: hasFailed ? t('A scheduled job failed.') : t('No scheduled job failed.'),
      content: show(tables.jobs, pulls),
    },
    mail !== null && { id: 'mail', level: 'bad', says: toUnsent(mail, format) },
    {
      id: 'machines',
      title: 'System',
      name: 'system',
      level: isFull ? 'bad' : 'ok',
      says: isFull ? t('A disk is nearly full.') : t('No disk is nearly full.'),
      content: (
        <>
          {disks !== null && show(tables.disks, disks)}
          <p>
            {t('Rollcall {version}, Node {node}, ClickHouse {store}.', {
              version,
              node: process.versions.node,
              store: health.store_version,
            })}{' '}
            {toCached(held, format)}
          </p>
        </>
      ),
    },
  ]
  return blocks.filter((block) => block !== false)
}

type Line = Pick<Block, 'level' | 'says'>

/** Before the first webhook there is nothing to be complete. */
function toComplete({ standing, ledger }: Health, format: Format): Line {
  const behind = standingWords(standing, format)
  const { reason, complete_through: through } = standing
  if (behind !== null)
    return {
      level: 'bad',
      says: reason === null ? behind : t('{behind} The reason: {reason}', { behind, reason }),
    }
  if (through === null || ledger.all.given === 0) return { level: 'none', says: t('No webhooks yet.') }
  return { level: 'ok', says: t('Numbers are complete up to {moment}.', { moment: format.instant(through) }) }
}

function toAccounted({ given, lost, difference }: Health['ledger']['all'], format: Format): Line {
  const n = lost + Math.abs(difference)
  const words: Message =
    '{n, plural, one {# acknowledged webhook is} other {# acknowledged webhooks are}} not accounted for.'
  if (n !== 0) return { level: 'bad', says: t(words, { n }) }
  if (given === 0) return { level: 'none', says: t('No acknowledged webhooks yet.') }
  const all = format.count(given)
  return { level: 'ok', says: t('Every acknowledged webhook is accounted for: {all} so far.', { all }) }
}

function toLastDay(day: Health['ledger']['day'], format: Format): string {
  const repeats = day.reduce((sum, { repeated }) => sum + repeated, 0)
  const all = day.reduce((sum, { stored, failed }) => sum + stored + failed, repeats)
  const received = t('{webhooks} received in the last 24 hours.', {
    webhooks: counted(format, all, 'webhook'),
  })
  if (all === 0) return received
  return `${received} ${t('{share} were repeats, which count once.', { share: format.percent(repeats / all) })}`
}

const sum = (bars: Health['hours']) => bars.reduce((all, { count }) => all + count, 0)

function toDelay({ delay }: Health, format: Format): string {
  if (delay === null) return t('No challenge event in the last 24 hours, so no delay.')
  return t('Delay in the last 24 hours: median {half}, 90% under {most} ({webhooks}).', {
    half: format.duration(delay.p50_ms),
    most: format.durationAfter(delay.p90_ms),
    webhooks: counted(format, delay.count, 'webhook'),
  })
}

function toUnsent({ count, detail }: DigestTrouble, format: Format): string {
  const mails = counted(format, count, 'digest or alert')
  return `${t('{mails} may not have been sent.', { mails })} ${lookUp(detail)}`.trim()
}

function toCached({ versions, bytes, heldAt, since, isReading }: MemoryStatus, format: Format): string {
  if (isReading) return t('The store is being read into memory. Until then, pages take longer.')
  if (heldAt === null) return t('Nothing is cached in memory. Each query reads its rows from the store.')
  const size = t('{n} MiB', { n: format.decimal(bytes / 1024 ** 2) })
  const n = format.count(versions)
  const cached = t('{n} versions of assignments are cached in memory ({size}).', { n, size })
  return since === 0 ? cached : `${cached} ${t('Older ones are read when needed.')}`
}
