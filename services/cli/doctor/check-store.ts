/** Checks the store's facts on how events arrived. */
import type { ClickHouseClient } from '@clickhouse/client'
import { findOddZones, isUnlikePages, toOddZoneWords } from '../../../reporting/queries/zones.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { toInstant } from '../../../schemas/instant.ts'
import { createAccessStore } from '../../access/access-store.ts'
import { freshness, type Config } from '../../config/config.ts'
import { removedRole, roles } from '../../config/values/roles.ts'
import { removable, type Retention } from '../../config/retention.ts'
import { present } from '../../runtime/control/command.ts'
import { select } from '../statements.ts'
import type { Finding } from '../command-deps.ts'

export type StoreFacts = {
  config: Config
  client: ClickHouseClient
  now: () => number
}

const minuteMs = 60_000
const silentAfterMs = 3 * 24 * 60 * minuteMs
/** The consumer asks every 5 s. */
const spoolSilentAfterMs = 10 * minuteMs

export async function checkStore(facts: StoreFacts): Promise<Finding[]> {
  return [
    ...(await checkFailed(facts)),
    ...(await checkLedger(facts)),
    ...(await checkSpools(facts)),
    ...(await checkFreshness(facts)),
    ...(await checkTables(facts)),
    ...(await checkZones(facts)),
    ...(await checkRoles(facts)),
  ]
}

const mostNames = 20

/** People and tokens with the removed role, which have no access. */
async function checkRoles({ client }: StoreFacts): Promise<Finding[]> {
  const store = createAccessStore({ reader: client, writer: client })
  const [people, tokens] = [await store.readPeople(), await store.readTokens()]
  const names = [
    ...people.filter(({ role }) => role === removedRole).map(({ login }) => login),
    ...tokens.filter(({ role }) => role === removedRole).map(({ id, name }) => `token ${name} (${id})`),
  ]
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return present([
    names.length > 0 && {
      code: 'removed_role',
      severity: 'warning',
      what: `These have the role ${removedRole}, which was removed: ${names.slice(0, mostNames).join(', ')}${more}.`,
      why: 'They have no access.',
      todo: `Give each another role (${roles.join(', ')}) with rollcall user add or token create, or remove it.`,
    },
  ])
}

async function checkFailed({ client }: StoreFacts): Promise<Finding[]> {
  const reasons = await select<{ reason: string; events: number }>(client, 'failed-by-reason')
  return present([
    reasons.length > 0 && {
      code: 'failed_events',
      severity: 'warning',
      what: `Failed events are kept: ${reasons.map(({ reason, events }) => `${reason} ${events}`).join(', ')}.`,
      why: 'No number includes them.',
      todo: 'See the view failed_events; after an update of Rollcall run: rollcall replay --failed.',
    },
  ])
}

async function checkLedger({ client, now }: StoreFacts): Promise<Finding[]> {
  const [total] = await select<{ lost: number; difference: number }>(client, 'ledger-total')
  const [last] = await select<{ hour: number }>(client, 'last-received')
  return present([
    total !== undefined &&
      (total.lost !== 0 || total.difference !== 0) && {
        code: 'ledger_difference',
        severity: 'problem',
        what: `In the ledger ${total.lost} deliveries are lost, and the difference is ${total.difference}.`,
        why: 'Every acknowledged delivery must be accounted for.',
        todo: 'rollcall backfill asks the platform for what is lost. If the difference stays for an hour, report it. See docs/runbooks.md#rollcallledgerdifference.',
      },
    last !== undefined &&
      now() - last.hour > silentAfterMs && {
        code: 'silent',
        severity: 'warning',
        what: `Nothing was received since ${toInstant(last.hour)}.`,
        why: 'A platform with another address, or after many 404 answers, stops sending.',
        todo: 'rollcall register --check',
      },
  ])
}

/** One that is gone for good would hold numbers back for ever. */
export async function checkSpools({ client, now }: Pick<StoreFacts, 'client' | 'now'>): Promise<Finding[]> {
  type Spool = { place: string; holder: string; address: string; records: number; reportedAt: number }
  const spools = await select<Spool>(client, 'held-spools')
  return spools
    .filter(({ place, reportedAt }) => place === 'spool' && now() - reportedAt > spoolSilentAfterMs)
    .map(({ holder, address, records, reportedAt }) => ({
      code: 'spool_silent',
      severity: 'problem',
      what: `The spool ${holder} of ${address} held ${records} deliveries and says nothing since ${toInstant(reportedAt)}.`,
      why: 'They are acknowledged and not stored, and no number is complete past them.',
      todo: `Start that ingest process on its disk. If the disk is gone for good: rollcall ledger forget ${holder}`,
    }))
}

async function checkFreshness({ config, client, now }: StoreFacts): Promise<Finding[]> {
  const [row] = await select<{ through: number }>(client, 'complete-through')
  if (row === undefined) return []
  const behindMs = now() - row.through
  return present([
    behindMs > freshness.amberAfterMs && {
      code: 'behind',
      severity: behindMs > freshness.redAfterMs ? 'problem' : 'warning',
      what: `The numbers are complete through ${toInstant(row.through)}, ${Math.round(behindMs / minuteMs)} minutes ago.`,
      why: 'The consumer is not running, or cannot store.',
      todo: 'Start Rollcall, or look in the log of the consumer for the reason.',
    },
    // The local log never removes unstored records; Kafka does.
    config.kafkaBrokers !== undefined &&
      behindMs > config.logRetentionMs / 2 && {
        code: 'lag_near_retention',
        severity: 'problem',
        what: `The consumer is ${Math.round(behindMs / 3_600_000)} hours behind; Kafka keeps ${Math.round(config.logRetentionMs / 3_600_000)}.`,
        why: 'Deliveries that Kafka removes before they are stored are lost.',
        todo: "Raise the topic's retention.ms now, then fix the consumer.",
      },
  ])
}

type PoorTable = { table: string; total_replicas: number; active_replicas: number }

async function checkTables({ config, client }: StoreFacts): Promise<Finding[]> {
  const unsynced = await select<{ name: string }>(client, 'unsynced-tables')
  const broken = await select<{ table: string; parts: number }>(client, 'broken-parts')
  const [unbalanced = { assignments: 0 }] = await select<{ assignments: number }>(client, 'unbalanced-rows')
  const poor = config.clickhouseCluster === undefined ? [] : await select<PoorTable>(client, 'poor-replicas')
  return present([
    unsynced.length > 0 && {
      code: 'not_synced',
      severity: 'problem',
      what: `These tables do not sync their inserts: ${unsynced.map(({ name }) => name).join(', ')}.`,
      why: 'After a power failure a position may claim rows that are lost.',
      todo: 'ALTER TABLE rollcall.<name> MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1',
    },
    broken.length > 0 && {
      code: 'store_damaged',
      severity: 'problem',
      what: `The engine has put damaged parts aside: ${broken.map(({ table, parts }) => `${table} ${parts}`).join(', ')}.`,
      why: 'Their rows are missing in the numbers.',
      todo:
        config.clickhouseUrl === undefined
          ? 'Restore the backup (rollcall restore), then run: rollcall backfill --all --heal. Have the disk checked.'
          : 'Restore the table from a replica or a backup (docs/backup.md); then rollcall replay --from-log.',
    },
    unbalanced.assignments > 0 && {
      code: 'unbalanced_rows',
      severity: 'problem',
      what: `${unbalanced.assignments} assignments do not have exactly one state.`,
      why: 'Two consumers wrote at once, or one died in between: these assignments count twice or not at all.',
      todo: 'rollcall doctor --mend. The next event of each, or the hourly audit, repairs it as well.',
    },
    poor.length > 0 && {
      code: 'replicas',
      severity: 'problem',
      what: `Tables with too few replicas: ${poor.map((row) => `${row.table} ${row.active_replicas} of ${row.total_replicas}`).join(', ')}.`,
      why: 'Another loss stops inserts, or loses data.',
      todo: 'Restore or add the missing replicas.',
    },
  ])
}

async function checkZones({ config, client }: StoreFacts): Promise<Finding[]> {
  const zones = await findOddZones(ownReader(client), [config.timeZone, config.dueZone])
  return zones.filter(isUnlikePages).map((odd) => ({
    code: 'zone_rules',
    severity: 'warning',
    what: toOddZoneWords(odd),
    why: 'Pages and the API count days by Node, and SQL by ClickHouse, so one may call an assignment overdue and the other one not.',
    todo:
      config.clickhouseUrl === undefined
        ? 'Update Rollcall.'
        : 'Update the time zones (tzdata) of the ClickHouse server, or restart the consumer with the same TIME_ZONE and DUE_ZONE.',
  }))
}

const dayMs = 86_400_000
/** The job runs once a day, and not while the process is stopped. */
const lateDays = 3

/** Whether rows that the owner keeps for a time only are removed. */
export async function checkRetention(
  client: ClickHouseClient,
  retention: Retention,
  now: number,
): Promise<Finding | undefined> {
  if (retention.size === 0) return undefined
  const oldest = await select<{ name: string; oldestAt: number }>(client, 'oldest-kept')
  const late = removable.filter((name) => {
    const days = retention.get(name)
    const oldestAt = oldest.find((row) => row.name === name)?.oldestAt ?? 0
    return days !== undefined && oldestAt > 0 && now - oldestAt > (days + lateDays) * dayMs
  })
  if (late.length === 0) return undefined
  return {
    code: 'retention_late',
    severity: 'warning',
    what: `Older than RETENTION_DAYS says, and still there: ${late.join(', ')}.`,
    why: 'They are removed once a day by the process that stores.',
    todo: 'Leave it running at 03:47 (TIME_ZONE), and look for the job retention in the view pulls or on the page Health.',
  }
}

export function toRetentionLine(retention: Retention): string {
  const periods = removable.map((name) => {
    const days = retention.get(name) ?? (name === 'repeats' ? 90 : undefined)
    return `${name} ${days === undefined ? 'for ever' : `${days} days`}`
  })
  return `Kept: ${periods.join(', ')}; what numbers are counted from, for ever (docs/retention.md).`
}
