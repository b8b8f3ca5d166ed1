/** The rows that one part of a number counts, from columns in memory. */
import { addDays, daysIn, shiftPeriod } from '../../schemas/metrics/calendar.ts'
import { findPart, type Line } from '../../schemas/metrics/parts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toDay } from '../scope/filter.ts'
import type { Columns } from './columns.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { narrow, select, type InScope, type Selection } from './select.ts'
import { createSpans, toBin, type UseSpan } from './tally.ts'

type Units = (columns: Columns, row: number) => number

export async function selectPart(
  memory: Memory,
  inScope: InScope,
): Promise<{ selections: readonly Selection[]; unitsOf: Units | undefined }> {
  const { scope } = inScope
  const selections = await select(memory, inScope)
  if (scope.part === undefined) return { selections, unitsOf: undefined }
  const part = findPart(scope.part.metric, scope.part.name, scope.period)
  if (part === undefined) throw new RangeError(`${scope.part.metric} has no part ${scope.part.name}`)
  const unitsOf = part.line === undefined ? undefined : createUnits(part.line, scope)
  const parts: Selection[] = []
  for (const selection of selections) {
    const { columns, rows, facts } = selection
    const isSo = decide(facts, part.holds, scope.dueSoonDays)
    const isKept = (index: number) =>
      isSo(facts.codes[index]!) === 1 && (unitsOf === undefined || unitsOf(columns, rows[index]!) > 0)
    parts.push(await narrow(selection, isKept))
  }
  return { selections: parts, unitsOf }
}

function createUnits(line: Line, scope: Scope): Units {
  if (line.of === 'bin') return ({ values }, row) => Number(toBin(values.grade[row]!) === line.bin)
  const { asOf, period, timeZone } = scope
  const days = daysIn(timeZone)
  const [first, last] = [toDay(line.start), toDay(addDays(shiftPeriod(period, line.start, 1), -1))]
  const isWithin = (at: number) => at !== 0 && days.of(at) >= first && days.of(at) <= last
  const forEachSpan = createSpans(scope)
  /** How many spans of a row are so. */
  const countSpans =
    (isSo: (...span: Parameters<UseSpan>) => boolean): Units =>
    (columns, row) => {
      let n = 0
      forEachSpan(columns, row, (...span) => void (n += Number(isSo(...span))))
      return n
    }
  switch (line.of) {
    case 'created':
      return ({ values }, row) => Number(isWithin(values.created_at[row]!))
    case 'completed':
      return ({ values: { completed_at } }, row) =>
        Number(isWithin(completed_at[row]!) && completed_at[row]! <= asOf)
    case 'graded':
      return ({ values }, row) => Number(isWithin(values.first_graded_at[row]!))
    case 'became_overdue':
      return countSpans((began, _, isTurn) => isTurn && isWithin(began))
    case 'overdue_at_end': {
      const units = countSpans(
        (began, ended) => days.of(began) <= last && (ended > asOf || days.of(ended) > last),
      )
      return (columns, row) => Math.min(1, units(columns, row))
    }
  }
}
