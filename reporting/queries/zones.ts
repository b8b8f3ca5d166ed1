/** Zones of the engine. Its tz database is another one than that of Node, by which answers from memory are counted, and may be older. */
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toDate } from '../../schemas/metrics/calendar.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { daysIn } from '../expressions/zone.ts'
import { readFixed } from '../read/fixed.ts'
import { ownReader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const fixed = readFixed(join(import.meta.dirname, 'zones.sql'))
const [zones, zoneDays] = [fixed('zones', 'nobody'), fixed('zone-days', 'nobody')]
const zonesSchema = z.array(z.object({ zone: z.string() }))
const zoneDaysSchema = z.tuple([z.object({ starts: z.array(z.number()) })])

export async function readZones(client: ClickHouseClient): Promise<ReadonlySet<string>> {
  return new Set(zonesSchema.parse(await select(ownReader(client), zones, {})).map(({ zone }) => zone))
}

/** `from`: the first day that begins at another time in the engine than in Node; `null`: the engine does not know the zone. */
type OddZone = { zone: string; from: string | null }

/** The zones of the settings in which the engine and Node differ, from a year before now to a year after it. */
export async function findOddZones(
  client: ClickHouseClient,
  { timeZone, dueZone }: Pick<ScopeSettings, 'timeZone' | 'dueZone'>,
  now: number,
  daysOf: typeof daysIn = daysIn,
): Promise<OddZone[]> {
  const known = await readZones(client)
  const today = Math.floor(now / 86_400_000)
  const [first, last] = [today - 366, today + 366]
  const odd: OddZone[] = []
  for (const zone of new Set([timeZone, dueZone])) {
    if (!known.has(zone)) odd.push({ zone, from: null })
    else {
      const [{ starts }] = zoneDaysSchema.parse(await select(ownReader(client), zoneDays, { zone, first, last }))
      const days = daysOf(zone)
      const index = starts.findIndex((start, at) => start * 1_000 !== days.after(first + at - 1))
      if (index !== -1) odd.push({ zone, from: toDate(first + index) })
    }
  }
  return odd
}

/** Beside a start, which does not wait for it. `rollcall doctor` says the same, also what could not be asked now. */
export function warnOfZones(
  client: ClickHouseClient,
  settings: Pick<ScopeSettings, 'timeZone' | 'dueZone'>,
  warn: (odd: OddZone) => void,
): void {
  findOddZones(client, settings, Date.now()).then(
    (zones) => zones.forEach(warn),
    () => undefined,
  )
}

export const oddZone =
  'The ClickHouse engine and Node have different rules for a zone of the settings: run rollcall doctor'

export const toOddZoneWords = ({ zone, from }: OddZone): string =>
  from === null
    ? `The ClickHouse engine does not know the zone ${zone} of TIME_ZONE or DUE_ZONE.`
    : `The ClickHouse engine and Node have different rules for the zone ${zone} from ${from} on.`
