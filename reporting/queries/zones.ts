/**
 * Zones for which the engine has other rules than Node, by which pages and the API count. Its list (tzdata) is another one, and may be older.
 * The rules of TIME_ZONE and DUE_ZONE are in the store (services/clickhouse/stored-settings.ts), where views find them.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { daysIn, printZoneRules, toDate } from '../../schemas/metrics/calendar.ts'
import { flagSchema } from '../../schemas/instant.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const fixed = readFixed(join(import.meta.dirname, 'zones.sql'))
const [stored, firstDifference] = [fixed('stored', 'nobody'), fixed('first-difference', 'nobody')]
const storedSchema = z.tuple([z.object({ is_known: flagSchema, rules: z.string() })])
const differenceSchema = z.tuple([z.object({ at: z.number() })])

/** `from`: the first day from 2000 to 2050 that differs; `null`: the engine does not know the zone. */
export type OddZone = { zone: string; from: string | null; isInStore: boolean }

export async function findOddZones(reader: Reader, zones: readonly string[]): Promise<OddZone[]> {
  const odd = await Promise.all([...new Set(zones)].map((zone) => findOddZone(reader, zone)))
  return odd.filter((each) => each !== undefined)
}

async function findOddZone(reader: Reader, zone: string): Promise<OddZone | undefined> {
  const rules = printZoneRules(zone)
  const [row] = storedSchema.parse(await select(reader, stored, { zone }))
  const isInStore = row.rules === rules
  if (!row.is_known) return { zone, from: null, isInStore }
  const [{ at }] = differenceSchema.parse(await select(reader, firstDifference, { zone, rules }))
  return at === 0 ? undefined : { zone, from: toDate(daysIn(zone).of(at * 1_000)), isInStore }
}

/** A view with the parameter `due_zone` refuses a zone that the engine does not know. */
export const isUnlikePages = ({ from, isInStore }: OddZone): boolean => from === null || !isInStore

export const toOddZoneWords = ({ zone, from }: OddZone): string =>
  from === null
    ? `ClickHouse does not know the time zone ${zone}.`
    : `ClickHouse and Node have different rules for the time zone ${zone} from ${from} on.`

export const whatToUpdate =
  'Views can differ from pages until the time zones (tzdata) of the ClickHouse server are updated.'
