/**
 * The language of facts and filters: expressions over the stored version of an assignment and the moment of a question, as data. They are
 * printed as SQL (reporting/expressions/view-sql.ts) and evaluated over single versions (reporting/expressions/evaluate.ts), so a rule is written once.
 */
import type { StateFact } from './state-bits.ts'
import type { Instant } from './version.ts'

export type Zone = 'reporting' | 'due'

export type Expression =
  | { readonly is: 'state'; readonly bit: StateFact }
  /** 0: the learner has to act, 1: it awaits grading. */
  | { readonly is: 'class'; readonly of: 0 | 1 }
  | { readonly is: 'known'; readonly at: Instant }
  /** Calendar day of a known instant. */
  | { readonly is: 'day'; readonly at: Instant; readonly zone: Zone }
  /** A calendar day, `YYYY-MM-DD`. */
  | { readonly is: 'date'; readonly of: string }
  /** Day in the due zone, or the instant itself under `due_end=instant`: "before late from" is key <= due key. */
  | { readonly is: 'key'; readonly at: Instant }
  /** The key of the moment. */
  | { readonly is: 'now' }
  | { readonly is: '<' | '<='; readonly of: readonly [Expression, Expression] }
  | { readonly is: 'and'; readonly of: readonly Expression[] }
  | { readonly is: 'not'; readonly of: Expression }
  | { readonly is: 'among'; readonly column: 'challenge_id' | 'user_id'; readonly ids: readonly string[] }
  | { readonly is: 'people'; readonly who: PeopleOf }

/** People at the moment: who have left, are in the teams of the scope, in any team, under its managers, or have its attributes. */
export type PeopleOf = 'left' | 'teams' | 'any_team' | 'under' | 'attributes'

export const state = (bit: StateFact): Expression => ({ is: 'state', bit })
export const classIs = (of: 0 | 1): Expression => ({ is: 'class', of })
export const known = (at: Instant): Expression => ({ is: 'known', at })
export const day = (at: Instant, zone: Zone): Expression => ({ is: 'day', at, zone })
export const date = (of: string): Expression => ({ is: 'date', of })
export const key = (at: Instant): Expression => ({ is: 'key', at })
export const now: Expression = { is: 'now' }
export const less = (a: Expression, b: Expression): Expression => ({ is: '<', of: [a, b] })
export const atMost = (a: Expression, b: Expression): Expression => ({ is: '<=', of: [a, b] })
export const and = (...of: Expression[]): Expression => ({ is: 'and', of })
export const isNot = (of: Expression): Expression => ({ is: 'not', of })
/** A calendar day from one date to another, both inclusive; where one is left out, everything known before or after it. */
export const between = (
  from: string | undefined,
  at: Instant,
  zone: Zone,
  to: string | undefined,
): Expression =>
  and(
    known(at),
    ...(from === undefined ? [] : [atMost(date(from), day(at, zone))]),
    ...(to === undefined ? [] : [atMost(day(at, zone), date(to))]),
  )
export const people = (who: PeopleOf): Expression => ({ is: 'people', who })
