/** Expressions over one version, in memory: the same operators that are printed as SQL. */
import type { DueEnd } from '../../schemas/metrics/answer.ts'
import type { Expression, PeopleOf } from '../../schemas/metrics/expression.ts'
import type { Instant } from '../../schemas/metrics/version.ts'
import { derive, primaryFacts, setBit, type Bits } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'

export type Version = Record<Instant, number> & {
  class: number
  state: number
  user_id: string
  challenge_id: string
}
export type Moment = { asOf: number; timeZone: string; dueZone: string; dueEnd: DueEnd }
/** Whether the person of a version is one of them. */
export type People<Of extends Version> = Partial<Record<PeopleOf, (version: Of) => boolean>>

const isTrue = (of: boolean): number => (of ? 1 : 0)

export function compile<Of extends Version>(
  of: Expression,
  moment: Moment,
  people: People<Of> = {},
): (version: Of) => number {
  const make = (each: Expression) => compile(each, moment, people)
  const dueDays = daysIn(moment.dueZone)
  const isInstant = moment.dueEnd === 'instant'
  switch (of.is) {
    case 'state': {
      const bit = stateBits[of.bit]
      return ({ state }) => (state >>> bit) & 1
    }
    case 'class':
      return (version) => isTrue(version.class === of.of)
    case 'known':
      return (version) => isTrue(version[of.at] !== 0)
    case 'day': {
      const days = of.zone === 'due' ? dueDays : daysIn(moment.timeZone)
      return (version) => days.of(version[of.at])
    }
    case 'date': {
      const day = Date.parse(of.of) / 86_400_000
      return () => day
    }
    case 'key':
      return isInstant ? (version) => version[of.at] : (version) => dueDays.of(version[of.at])
    case 'now': {
      const now = isInstant ? moment.asOf : dueDays.of(moment.asOf)
      return () => now
    }
    case '<':
    case '<=': {
      const [a, b] = [make(of.of[0]), make(of.of[1])]
      return of.is === '<'
        ? (version) => isTrue(a(version) < b(version))
        : (version) => isTrue(a(version) <= b(version))
    }
    case 'and': {
      const all = of.of.map(make)
      return (version) => isTrue(all.every((each) => each(version) !== 0))
    }
    case 'not': {
      const each = make(of.of)
      return (version) => isTrue(each(version) === 0)
    }
    case 'among': {
      const ids = new Set(of.ids)
      return (version) => isTrue(ids.has(version[of.column]))
    }
    case 'people': {
      const who = people[of.who]
      if (who === undefined) throw new RangeError(`Nobody said who the people in "${of.who}" are`)
      return (version) => isTrue(who(version))
    }
  }
}

export function compileFacts(moment: Moment, dueSoonDays: number): (version: Version) => Bits {
  const primary = primaryFacts.map(({ bit, is }) => ({ bit, isSo: compile(is, moment) }))
  const days = daysIn(moment.dueZone)
  const today = days.of(moment.asOf)
  return (version) => {
    const bits = { low: version.state & 0xff_ffff, high: 0, days: today - days.of(version.due_date) }
    for (const { bit, isSo } of primary) if (isSo(version) !== 0) setBit(bits, bit)
    return derive(bits, dueSoonDays)
  }
}
