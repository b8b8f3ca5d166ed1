/** The facts of versions as the bits of one number. */
import { primaryFacts, rankingMask, toFactMask } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { daysAdded, daysFrom, mostDaysBehind } from '../metrics/blocks.ts'
import { join, raw, sql, value, type Fragment } from '../read/sql.ts'
import { toSql } from '../read/store-sql.ts'

/** Of the facts those that rankings need, and the one from which another of them follows: all would make too many groups. */
const rankingMaskOfVersions = BigInt(rankingMask) | BigInt(toFactMask(['open']))
export const rankingFacts = raw(String(rankingMaskOfVersions))

/**
 * The facts as bits, without those that follow from other facts. The days since the due day start at bit 48, limited to one year ahead and
 * 91 days behind: no metric distinguishes anything beyond that.
 */
export function factBitsOf(scope: Scope): Fragment {
  const zone = value('String', scope.dueZone)
  const days = sql`greatest(0, least(${raw(String(mostDaysBehind))}, ${raw(String(daysAdded))} + toInt32(toDate(as_of, ${zone})) - toInt32(toDate(due_date, ${zone}))))`
  return sql`${bitsOf(scope, (1n << 48n) - 1n)}
            + bitShiftLeft(toUInt64(if(class = 0 AND toUnixTimestamp64Milli(due_date) != 0, ${days}, 0)), ${raw(String(daysFrom))})`
}

/** Where the other facts are not wanted: they cost planning. */
export const rankingBitsOf = (scope: Scope): Fragment => bitsOf(scope, rankingMaskOfVersions)

/** The stored and primary facts under a mask. */
function bitsOf(scope: Scope, mask: bigint): Fragment {
  const context = { moment: scope, dueSoonDays: scope.dueSoonDays }
  // Twelve bits at a time: the engine multiplies in 32 bits.
  const group = (from: number) =>
    join(
      primaryFacts
        .filter(({ bit }) => bit >= from && bit < from + 12 && ((mask >> BigInt(bit)) & 1n) === 1n)
        .map(({ bit, is }) => sql`${raw(String(2 ** (bit - from)))} * ${toSql(is, context)}`),
      ' + ',
    )
  return sql`toUInt64(bitAnd(state, ${raw(String(mask & 0xff_ffffn))}))
            + bitShiftLeft(toUInt64(${group(24)}), 24)
            + bitShiftLeft(toUInt64(${group(36)}), 36)`
}
