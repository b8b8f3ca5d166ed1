/** One assignment as rows have it, made of its stored version by the table of columns. */
import { z } from 'zod'
import { flagSchema, toInstant, toInstantOrNull } from '../../schemas/instant.ts'
import {
  columns,
  rowColumns,
  type AssignmentRow,
  type Column,
  type Content,
  type RowColumn,
} from '../../schemas/metrics/columns.ts'
import { holds, type Bits, type Condition } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compileFacts, type Version } from '../expressions/evaluate.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import type { StoredContent } from '../columns/columns.ts'

const named = z.tuple([z.string(), z.string()])
/** A person beside their assignments. */
export const personSchema = z.object({
  user_id: z.string(),
  user_name: z.string(),
  teams: z.array(z.string()),
  managers: z.array(named),
  is_active: flagSchema,
  user_attributes: z.array(z.string()),
})
/** With the names of teams. */
export type RowPerson = Omit<z.infer<typeof personSchema>, 'teams'> & { teams: z.infer<typeof named>[] }

type Row = {
  version: StoredContent & Version
  challenge: string | undefined
  bits: Bits
  has(of: Condition): boolean
  dueDay: number
  person: RowPerson
}

/** `undefined`: no name was ever sent. */
export type NameOf = (kind: 'team' | 'challenge', id: string) => string | undefined

/** Rows of a moment. */
export function createRows(
  scope: Scope,
  nameOf: NameOf,
): (content: StoredContent, person: RowPerson) => AssignmentRow {
  const factsOf = compileFacts(scope, scope.dueSoonDays)
  const dueDays = daysIn(scope.dueZone)
  return (content, person) => {
    const bits = factsOf(content)
    const row: Row = {
      version: content,
      challenge: nameOf('challenge', content.challenge_id),
      bits,
      has: (of) => holds(of, bits),
      dueDay: dueDays.of(content.due_date),
      person,
    }
    return Object.fromEntries(readers.map(([name, read]) => [name, read(row)])) as AssignmentRow
  }
}

const readers = rowColumns.map((name): [RowColumn, (row: Row) => unknown] => [
  name,
  toReader((columns[name] as Column).holds),
])

function toReader(of: Content): (row: Row) => unknown {
  if ('text' in of) return ({ version }) => version[of.text] || null
  if ('instant' in of) {
    const { instant, when = 'all' } = of
    return ({ version, has }) => (has(when) ? toInstantOrNull(version[instant]) : null)
  }
  if ('day' in of)
    return ({ version, dueDay }) =>
      version[of.day] === 0 ? null : toInstant(dueDay * 86_400_000).slice(0, 10)
  if ('fact' in of) return ({ has }) => has(of.fact)
  if ('reported' in of) return ({ has }) => (has(of.known) ? has(of.reported) : null)
  if ('first' in of) {
    const values = Object.entries(of.first)
    return ({ has }) => values.find(([, fact]) => has(fact))?.[0] ?? null
  }
  if ('beside' in of)
    return ({ challenge, person }) => (of.beside === 'challenge' ? challenge : person.user_name) || null
  if ('besides' in of) return ({ person }) => lists[of.besides](person)
  switch (of.number) {
    case 'grade':
      return ({ version, has }) => (has(of.when) ? version.grade : null)
    case 'days_after_due':
      return ({ bits, has }) => (has(of.when) ? bits.days : null)
    case 'completion_percentage':
      return ({ version, has }) =>
        version.completion_percentage === -1 && !has(of.known) ? null : version.completion_percentage
    default:
      return ({ version }) => version[of.number]
  }
}

const lists: Record<Extract<Content, { besides: unknown }>['besides'], (person: RowPerson) => string[]> = {
  team_ids: ({ teams }) => teams.map(([id]) => id),
  teams: ({ teams }) => teams.map(([, name]) => name),
  manager_ids: ({ managers }) => managers.map(([id]) => id),
  managers: ({ managers }) => managers.map(([id, name]) => name || id),
  user_attributes: (person) => person.user_attributes,
}
