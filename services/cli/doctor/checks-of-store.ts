/** Checks of the store, of what waits in the log, and of the platform. */
import type { ClickHouseClient } from '@clickhouse/client'
import { findOddZones, isUnlikePages, toOddZoneWords } from '../../../reporting/queries/zones.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { toInstant, toInstantOrNull } from '../../../schemas/instant.ts'
import { freshness, type Config } from '../../config/config.ts'
import type { PlatformClient } from '../../platform/open-platform-client.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { registerWebhook } from '../../registration/register.ts'
import type { Progress } from '../../watch/watch-progress.ts'
import { select } from '../statements.ts'
import { checksOf } from './check.ts'

export type StoreFacts = { config: Config; client: ClickHouseClient; now: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A consumer asks every 5 s. */
const spoolSilentAfterMs = 10 * minuteMs
const { problem, warning } = checksOf<StoreFacts>()

/** The test of a statement that returns rows only if something is wrong. All rows are one finding. */
function rowsOf<Row>(statement: string) {
  return async ({ client }: StoreFacts) => {
    const rows = await select<Row>(client, statement)
    return rows.length > 0 && [rows]
  }
}

export const storeChecks = [
  warning('failed_events', {
    test: rowsOf<{ reason: string; events: number }>('failed-by-reason'),
    what: (rows) =>
      `No number includes these failed events: ${rows.map(({ reason, events }) => `${reason} ${events}`).join(', ')}.`,
    todo: 'See the view failed_events. After an update of Rollcall run: rollcall replay.',
  }),
  problem('ledger_difference', {
    test: rowsOf<{ lost: number; difference: number }>('ledger-problem'),
    what: ([total]) =>
      `In the ledger ${total?.lost} webhooks are lost, and the difference is ${total?.difference}.`,
    todo: 'rollcall backfill fetches lost webhooks from the platform. If the difference stays for an hour, report it. See docs/runbooks.md#rollcallledgerdifference.',
  }),
  problem('spool_silent', {
    test: async ({ client, now }) => {
      type Spool = { holder: string; address: string; records: number; reportedAt: number }
      const spools = await select<Spool>(client, 'held-spools')
      return spools.filter(({ reportedAt }) => now - reportedAt > spoolSilentAfterMs)
    },
    what: ({ holder, address, records, reportedAt }) =>
      `The spool ${holder} of ${address} held ${records} webhooks and has not reported since ${toInstant(reportedAt)}. No number is complete past them.`,
    todo: ({ holder }) =>
      `Start that ingest process on its disk. If the disk is gone for good: rollcall ledger forget ${holder}`,
  }),
  problem('behind', {
    test: async ({ client, now }) => {
      const rows = await select<{ through: number }>(client, 'complete-through')
      return rows.filter(({ through }) => now - through > freshness.amberAfterMs)
    },
    what: ({ through }) =>
      `The numbers are complete through ${toInstant(through)} only: the consumer is not running, or cannot store.`,
    todo: 'Start Rollcall. If it is running, the log of the consumer shows the reason. Kafka removes webhooks after the retention.ms of the topic: raise it if that is near.',
  }),
  problem('store_damaged', {
    test: rowsOf<{ table: string; parts: number }>('broken-parts'),
    what: (broken) =>
      `The engine has set damaged parts aside: ${broken.map(({ table, parts }) => `${table} ${parts}`).join(', ')}. Numbers miss their rows.`,
    todo: 'Have the disk checked, restore the backup or a replica (docs/backup.md), then run: rollcall backfill --all --repair.',
  }),
  problem('unbalanced_rows', {
    test: rowsOf<{ assignments: number }>('unbalanced-rows'),
    what: ([row]) =>
      `${row?.assignments} assignments do not have exactly one state, so they count twice or not at all: two consumers wrote at once, or one was killed.`,
    todo: 'Keep Rollcall running: the hourly audit repairs them. If they stay for two hours, report it.',
  }),
  warning('zone_rules', {
    test: async ({ client, config }) =>
      (await findOddZones(ownReader(client), [config.timeZone, config.dueZone])).filter(isUnlikePages),
    what: toOddZoneWords,
    todo: 'Update Rollcall, or the time zones (tzdata) of the ClickHouse server. Give all processes the same TIME_ZONE and DUE_ZONE.',
  }),
]

/** A consumer that keeps up stores a webhook within seconds. A restart takes longer. */
const usualMs = 30_000

const progress = checksOf<{ progress: Progress; now: number }>()

export const progressChecks = [
  progress.problem('stalled', {
    test: ({ progress }) => (progress.stalledSince ?? progress.failure) !== undefined && [progress],
    what: ({ stalledSince, failure, ...rest }) =>
      `Nothing has been stored since ${toInstant(stalledSince ?? failure?.since ?? 0)}. ${toWaits(rest)} ` +
      (failure === undefined
        ? 'No error is known.'
        : `The last error: ${failure.message} (code ${failure.code}).`),
    todo: 'Fix the cause, such as a full disk or a missing table. The consumer retries by itself. Keep the log. See docs/runbooks.md#rollcallnotstoring.',
  }),
  progress.warning('waiting', {
    test({ progress: { failure, stalledSince, ...rest }, now }) {
      const isOld = rest.waiting > 0 && now - (rest.oldestReceivedAt ?? now) >= usualMs
      return isOld && (stalledSince ?? failure) === undefined && [rest]
    },
    what: toWaits,
    todo: 'Start Rollcall, or the consumer, if it is not running. Otherwise its log shows the reason.',
  }),
]

function toWaits({ waiting, oldestReceivedAt }: Pick<Progress, 'waiting' | 'oldestReceivedAt'>): string {
  const since = oldestReceivedAt === undefined ? '' : `, the oldest since ${toInstant(oldestReceivedAt)}`
  return `${waiting} webhooks wait to be stored${since}.`
}

export type PlatformFacts = {
  config: Config
  client: ClickHouseClient
  platform: PlatformClient
  /** The registered address, if this process knows it. */
  ingestUrl: string | undefined
  now(): number
}

/** Rollcall refuses signatures older than five minutes. */
const maxSkewMs = 60_000
/** All of these jobs run at least daily. */
const staleAfterMs = 36 * hourMs
const dateTimeoutMs = 10_000
const platform = checksOf<PlatformFacts>()

export const platformChecks = [
  platform.problem('platform_unusable', {
    test: async ({ platform }) => {
      try {
        await platform.users({ size: 1, priority: 'person' }).next()
        return false
      } catch (error) {
        if (error instanceof PlatformError) return [error]
        throw error
      }
    },
    what: ({ message }) => `Nothing can be pulled, compared or registered: ${message}`,
    todo: 'Check PLATFORM_URL and the network, or create a new PLATFORM_TOKEN: a token dies with its admin user.',
  }),
  platform.problem('clock_skew', {
    test: async ({ config, now }) => {
      const askedAt = now()
      const signal = AbortSignal.timeout(dateTimeoutMs)
      const answer = await fetch(config.platformUrl ?? '', { method: 'HEAD', signal }).catch(() => undefined)
      const theirs = Date.parse(answer?.headers.get('date') ?? '')
      // The platform's clock shows full seconds, at some moment between request and answer.
      const skewMs = (askedAt + now()) / 2 - (theirs + 500)
      return Math.abs(skewMs) >= maxSkewMs && [skewMs]
    },
    what: (skewMs) =>
      `Our clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the platform's. Webhooks with a signed time are refused.`,
    todo: 'Synchronise the clock of this machine with NTP.',
  }),
  platform.problem('registration', {
    // If only hashes of tokens are known, only `rollcall register --url` can check.
    test: async ({ platform: client, config: { platformUrl }, ingestUrl: url }) => {
      if (url === undefined) return false
      const { findings } = await registerWebhook({ client, url, mode: 'check', platformUrl })
      return findings.filter(({ severity }) => severity === 'problem')
    },
    what: ({ message }) => message,
    todo: ({ fixedBy }) =>
      fixedBy === null ? 'Fix it at the platform.' : `rollcall register${fixedBy === 'fix' ? ' --fix' : ''}`,
  }),
  platform.problem('job_late', {
    test: async ({ client, config, now }) => {
      const rows = await select<{ job: string; at: number }>(client, 'last-successes')
      return toScheduled(config)
        .map((job) => ({ job, at: rows.find((row) => row.job === job)?.at ?? 0 }))
        .filter(({ at }) => now() - at > staleAfterMs)
    },
    what: ({ job, at }) => `The last success of the job ${job}: ${toInstantOrNull(at) ?? 'never'}.`,
    todo: 'The log and the page Health show why. It runs again by itself while Rollcall runs.',
  }),
]

/** Jobs that are off cannot be late. */
function toScheduled({ pullSchedule, reconcileSchedule }: Config): string[] {
  return [
    ...(pullSchedule === 'off' ? [] : ['users', 'guides', 'guide-assignments']),
    ...(reconcileSchedule === 'off' ? [] : ['reconcile']),
  ]
}

const mostNames = 20

/** Custom attributes of people that arrive without being allowed, or are allowed and never arrived. */
export async function toAttributeLines(client: ClickHouseClient, allowed: readonly string[]) {
  const [sent, stored] = await Promise.all(
    ['attributes-sent', 'attributes-stored'].map((statement) => select<{ name: string }>(client, statement)),
  )
  const others = (sent ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name))
  const missing = allowed.filter((name) => !stored?.some((each) => each.name === name))
  return [
    ...(others.length > 0
      ? [`Custom attributes that USER_ATTRIBUTES does not name: ${others.slice(0, mostNames).join(', ')}.`]
      : []),
    ...(missing.length > 0 ? [`Custom attributes that never arrived: ${missing.join(', ')}.`] : []),
  ]
}
