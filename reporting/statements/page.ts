/** The parts of a page besides its numbers: names, and recent arrivals. They do not need the snapshot of the numbers. */
import { z } from 'zod'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Reader } from '../read/reader.ts'
import { instant, sql } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { valuesNow } from './people.ts'

/** `attributes`: those whose values are offered. */
export const values: Statement<{ attributes: readonly string[] }> = {
  name: 'values',
  about: 'ids',
  isHeld: true,
  text: ({ attributes }, seen) => valuesNow(seen, attributes),
}

type Moment = Pick<Scope, 'now' | 'timeZone'>
/** When the day of now began. */
const toToday = ({ now, timeZone }: Moment) => instant(toStartOfDay(timeZone, toLocalDate(timeZone, now)))

/** Arrivals, which change with every event, in one pass. `others_today`: those that are not challenge events. */
const arrived: Statement<Moment> = {
  name: 'arrived',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  isUsual: true,
  text: (moment) => sql`SELECT
    max(type_number) > 0 AS has_challenge_events,
    toUnixTimestamp64Milli(max(received_at)) AS newest,
    -- Not what reconciliation made: it comes also while the webhook is broken.
    toUnixTimestamp64Milli(maxIf(received_at, type_number > 0 AND source != 'reconcile')) AS newest_by_webhook,
    countIf(received_at >= ${toToday(moment)} AND type_number = 0) AS others_today
FROM rollcall.event_rows`,
}

/** Of the hour before, to the minute, so that answers are shared within it. */
const lastHour: Statement<Moment> = {
  name: 'last_hour',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  text: ({ now }) => sql`SELECT count() AS arrived
FROM rollcall.event_rows
WHERE received_at >= ${instant(now - (now % 60_000) - 3_600_000)} AND source != 'reconcile'`,
}

const unrecognised: Statement<Moment> = {
  name: 'unrecognised',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  text: (moment) => sql`SELECT uniqExact(event_id) AS today
FROM rollcall.event_rows
WHERE received_at >= ${toToday(moment)} AND type_number = 0 AND event_type != 'userDeleted'`,
}

const failed: Statement<Moment> = {
  name: 'failed',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  text: (moment) => sql`SELECT
    (SELECT count() > 0 FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    toUnixTimestamp64Milli(max(received_at)) AS newest,
    uniqExactIf(event_id, received_at >= ${toToday(moment)}) AS today
FROM rollcall.failed_event_rows`,
}

const arrivedSchema = z.tuple([
  z.object({
    has_challenge_events: z.number(),
    newest: z.number(),
    newest_by_webhook: z.number(),
    others_today: z.number(),
  }),
])
const lastHourSchema = z.tuple([z.object({ arrived: z.number() })])
const todaySchema = z.tuple([z.object({ today: z.number() })])
const failedSchema = z.tuple([z.object({ is_sample: z.number(), newest: z.number(), today: z.number() })])

/** When events came last, epoch ms, 0 = never; and how many today that Rollcall does not know. */
export async function readArrived(reader: Reader, moment: Moment) {
  const [counts] = arrivedSchema.parse(await select(reader, arrived, moment))
  const [{ today }] =
    counts.others_today === 0 ? [{ today: 0 }] : todaySchema.parse(await select(reader, unrecognised, moment))
  return { ...counts, unrecognised_today: today }
}

/** How many webhooks the hour before had. */
export async function readLastHour(reader: Reader, moment: Moment): Promise<number> {
  const [{ arrived: n }] = lastHourSchema.parse(await select(reader, lastHour, moment))
  return n
}

/** The same of failed events; and whether this is sample data. */
export async function readFailed(reader: Reader, moment: Moment) {
  const [counts] = failedSchema.parse(await select(reader, failed, moment))
  return counts
}
