/** The store: failed events, the ledger, freshness, tables, zones, roles and retention. */
import type { ClickHouseClient } from '@clickhouse/client'
import { findOddZones, isUnlikePages, toOddZoneWords } from '../../../reporting/queries/zones.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { toInstant } from '../../../schemas/instant.ts'
import { freshness, type Config } from '../../config/config.ts'
import { removable } from '../../config/retention.ts'
import { select } from '../statements.ts'
import { checksOf, rowsOf, when } from './check.ts'

export type StoreFacts = { config: Config; client: ClickHouseClient; now: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const silentAfterMs = 3 * dayMs
/** A consumer asks every 5 s. */
const spoolSilentAfterMs = 10 * minuteMs
/** The job runs once a day, and not while the process is stopped. */
const lateRetentionMs = 3 * dayMs
const { problem, warning } = checksOf<StoreFacts>()
const isServer = ({ config }: StoreFacts) => config.clickhouseUrl !== undefined

export const storeChecks = [
  warning('failed_events', {
    test: rowsOf<{ reason: string; events: number }>('failed-by-reason'),
    what: (rows) =>
      `There are failed events: ${rows.map(({ reason, events }) => `${reason} ${events}`).join(', ')}.`,
    why: 'No number includes them.',
    todo: 'See the view failed_events. After an update of Rollcall run: rollcall replay --failed.',
  }),
  problem('ledger_difference', {
    test: rowsOf<{ lost: number; difference: number }>('ledger-problem'),
    what: ([total]) =>
      `In the ledger ${total?.lost} webhooks are lost, and the difference is ${total?.difference}.`,
    why: 'Every acknowledged webhook must be accounted for.',
    todo: 'rollcall backfill fetches lost webhooks from the platform. If the difference stays for an hour, report it. See docs/runbooks.md#rollcallledgerdifference.',
  }),
  warning('silent', {
    test: async ({ client, now }) => {
      const [last] = await select<{ hour: number }>(client, 'last-received')
      return when(last !== undefined && now - last.hour > silentAfterMs && last.hour)
    },
    what: (hour) => `Nothing was received since ${toInstant(hour)}.`,
    why: 'A platform with another address, or after many 404 answers, stops sending.',
    todo: 'rollcall register --check',
  }),
  problem('spool_silent', {
    test: async ({ client, now }) => {
      type Spool = { place: string; holder: string; address: string; records: number; reportedAt: number }
      const spools = await select<Spool>(client, 'held-spools')
      return spools.filter(
        ({ place, reportedAt }) => place === 'spool' && now - reportedAt > spoolSilentAfterMs,
      )
    },
    what: ({ holder, address, records, reportedAt }) =>
      `The spool ${holder} of ${address} held ${records} webhooks and has not reported since ${toInstant(reportedAt)}.`,
    why: 'They are acknowledged and not stored, and no number is complete past them.',
    todo: ({ holder }) =>
      `Start that ingest process on its disk. If the disk is gone for good: rollcall ledger forget ${holder}`,
  }),
  warning('behind', {
    test: async (facts) => {
      const behind = await findBehind(facts)
      return behind.filter(({ behindMs }) => behindMs > freshness.amberAfterMs)
    },
    severity: ({ behindMs }) => (behindMs > freshness.redAfterMs ? 'problem' : 'warning'),
    what: ({ through, behindMs }) =>
      `The numbers are complete through ${toInstant(through)}, ${Math.round(behindMs / minuteMs)} minutes ago.`,
    why: 'The consumer is not running, or cannot store.',
    todo: 'Start Rollcall. If it is running, the log of the consumer shows the reason.',
  }),
  problem('lag_near_retention', {
    // The local log never removes records that are not stored. Kafka does.
    test: async (facts) => {
      const behind = facts.config.kafkaBrokers === undefined ? [] : await findBehind(facts)
      return behind.filter(({ behindMs, config }) => behindMs > config.logRetentionMs / 2)
    },
    what: ({ behindMs, config }) =>
      `The consumer is ${Math.round(behindMs / hourMs)} hours behind. Kafka keeps ${Math.round(config.logRetentionMs / hourMs)}.`,
    why: 'Webhooks that Kafka removes before they are stored are lost.',
    todo: "Raise the topic's retention.ms now, then fix the consumer.",
  }),
  problem('not_synced', {
    test: rowsOf<{ name: string }>('unsynced-tables'),
    what: (tables) => `These tables do not sync their inserts: ${tables.map(({ name }) => name).join(', ')}.`,
    why: 'After a power failure a position may cover rows that are lost.',
    todo: 'ALTER TABLE rollcall.<name> MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1',
  }),
  problem('store_damaged', {
    test: async (facts) => {
      const broken = await select<{ table: string; parts: number }>(facts.client, 'broken-parts')
      return when(broken.length > 0 && { broken, isOnServer: isServer(facts) })
    },
    what: ({ broken }) =>
      `The engine has set damaged parts aside: ${broken.map(({ table, parts }) => `${table} ${parts}`).join(', ')}.`,
    why: 'Numbers miss their rows.',
    todo: ({ isOnServer }) =>
      isOnServer
        ? 'Restore the table from a replica or a backup (docs/backup.md). Then run: rollcall replay --from-log.'
        : 'Restore the backup (rollcall restore), then run: rollcall backfill --all --repair. Have the disk checked.',
  }),
  problem('unbalanced_rows', {
    test: rowsOf<{ assignments: number }>('unbalanced-rows'),
    what: ([row]) => `${row?.assignments} assignments do not have exactly one state.`,
    why: 'Two consumers wrote at once, or one was killed: these assignments count twice or not at all.',
    todo: 'rollcall doctor --repair. The next event of each, or the hourly audit, repairs it as well.',
  }),
  problem('replicas', {
    test: async ({ config, client }) => {
      type PoorTable = { table: string; total_replicas: number; active_replicas: number }
      return when(
        config.clickhouseCluster !== undefined && (await select<PoorTable>(client, 'poor-replicas')),
      )
    },
    what: (poor) =>
      `Tables with too few replicas: ${poor.map((row) => `${row.table} ${row.active_replicas} of ${row.total_replicas}`).join(', ')}.`,
    why: 'Another loss stops inserts, or loses data.',
    todo: 'Restore or add the missing replicas.',
  }),
  warning('zone_rules', {
    test: async (facts) => {
      const odd = await findOddZones(ownReader(facts.client), [facts.config.timeZone, facts.config.dueZone])
      return odd.filter(isUnlikePages).map((zone) => ({ zone, isOnServer: isServer(facts) }))
    },
    what: ({ zone }) => toOddZoneWords(zone),
    why: 'Pages and the API count days by Node, and SQL by ClickHouse, so one may call an assignment overdue and the other one not.',
    todo: ({ isOnServer }) =>
      isOnServer
        ? 'Update the time zones (tzdata) of the ClickHouse server, or restart the consumer with the same TIME_ZONE and DUE_ZONE.'
        : 'Update Rollcall.',
  }),
  warning('retention_late', {
    test: async ({ config: { retention }, client, now }) => {
      if (retention.size === 0) return []
      const oldest = await select<{ name: string; oldestAt: number }>(client, 'oldest-kept')
      const late = removable.filter((name) => {
        const days = retention.get(name)
        const oldestAt = oldest.find((row) => row.name === name)?.oldestAt ?? 0
        return days !== undefined && oldestAt > 0 && now - oldestAt > days * dayMs + lateRetentionMs
      })
      return when(late)
    },
    what: (late) => `Older than RETENTION_DAYS allows, but not removed: ${late.join(', ')}.`,
    why: 'The process that stores removes them once a day.',
    todo: 'Let it run at 03:47 (TIME_ZONE). The view pulls and the page Health show the job retention.',
  }),
]

async function findBehind({ client, config, now }: StoreFacts) {
  const rows = await select<{ through: number }>(client, 'complete-through')
  return rows.map(({ through }) => ({ through, behindMs: now - through, config }))
}
