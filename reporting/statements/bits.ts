/** The facts of versions as the bits of one number. */
import {
  conditionOf,
  derivedNames,
  factBits,
  primaryFacts,
  rankingMask,
  toFactMask,
  type Condition,
  type Fact,
} from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { daysAdded, daysFrom, mostDaysBehind } from '../metrics/blocks.ts'
import { join, raw, sql, value, type Fragment } from '../expressions/sql.ts'
import { printCondition, toSql } from '../expressions/store-sql.ts'

/** The facts that rankings need, and the one from which another of them follows: all would make too many groups. */
const rankingMaskOfVersions = BigInt(rankingMask) | BigInt(toFactMask(['open']))
export const rankingFacts = raw(String(rankingMaskOfVersions))

/**
 * The facts as bits, without those that follow from other facts. The days since the due day start at bit 48, limited to one year ahead and
 * 91 days behind: no metric distinguishes anything beyond that.
 */
export function factBitsOf(scope: Scope): Fragment {
  const zone = value('String', scope.dueZone)
  const days = sql`greatest(0, least(${raw(String(mostDaysBehind))}, ${raw(String(daysAdded))} + toInt32(toDate(as_of, ${zone})) - toInt32(toDate(due_date, ${zone}))))`
  return sql`${primaryBitsOf(scope)}
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

export const primaryBitsOf = (scope: Scope): Fragment => bitsOf(scope, (1n << 48n) - 1n)

/** All facts of rows that have `bits`, the primary ones, and `days`, calendar days since the due day. */
export function allFacts(dueSoonDays: number): Fragment {
  const about = { days: raw('days'), soonFrom: raw(String(-dueSoonDays)) }
  const isSo = (fact: Fact): Fragment =>
    derivedNames.some((each) => each === fact)
      ? printCondition(conditionOf(fact), isSo, about)
      : raw(`bitTest(bits, ${factBits[fact]})`)
  const derived = derivedNames.map((fact) => sql`bitShiftLeft(toUInt64(${isSo(fact)}), ${raw(String(factBits[fact]))})`)
  return sql`bits + ${join(derived, ' + ')}`
}

/** A condition over a column of all facts. */
export const overFacts = (of: Condition, column: string): Fragment =>
  printCondition(of, (fact) => raw(`bitTest(${column}, ${factBits[fact]})`))
