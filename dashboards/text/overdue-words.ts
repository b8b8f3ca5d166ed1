/** The findings of the Overdue page: one sentence per figure, with its numbers and n. */
import type { DueDay, LateGroup, LatePerson, Overdue } from '../../reporting/queries/overdue.ts'
import { counted, type Format } from './format.ts'

type Noun = 'manager' | 'team'

export function groupName({ id, name }: Pick<LateGroup, 'id' | 'name'>, noun: Noun): string {
  if (id === '') return noun === 'manager' ? 'No manager known' : 'No team'
  return name === '' ? id : name
}

export function personName({ user_id, name }: Pick<LatePerson, 'user_id' | 'name'>): string {
  if (user_id === '') return 'Unknown person'
  return name === '' ? user_id : name
}

/** "41 days"; 0 where a due instant has passed today. */
export function daysLate(days: number, format: Format): string {
  return days === 0 ? 'since today' : counted(format, days, 'day')
}

export function overdueFinding({ overdue, open_with_due_date, people }: Overdue, format: Format): string {
  if (open_with_due_date === 0) return 'Nothing in this scope is open with a due date.'
  const of = `of ${counted(format, open_with_due_date, 'open assignment')} with a due date`
  if (overdue === 0) return `None ${of} is overdue.`
  const share = format.percent(overdue / open_with_due_date)
  return `${format.count(overdue)} ${of} (${share}) ${overdue === 1 ? 'is' : 'are'} overdue, of ${counted(format, people.length, 'person', 'people')}.`
}

export function groupFinding(groups: readonly LateGroup[], overdue: number, noun: Noun, format: Format): string {
  const known = groups.filter(({ id }) => id !== '')
  const [most] = known
  const nobody = groups.find(({ id }) => id === '')
  const without =
    nobody === undefined
      ? ''
      : ` ${format.count(nobody.overdue)} ${nobody.overdue === 1 ? 'belongs' : 'belong'} to people with no ${noun === 'manager' ? 'known manager' : 'team'}.`
  if (most === undefined) return overdue === 0 ? 'Nobody is overdue.' : without.trim()
  const have = `${groupName(most, noun)} has most: ${format.count(most.overdue)} of ${format.count(overdue)} overdue, of ${counted(format, most.people.length, 'person', 'people')}.`
  const half = halfOf(known, overdue)
  const few =
    half === null || half < 2 || half * 2 > known.length
      ? ''
      : ` ${format.count(half)} of ${counted(format, known.length, noun)} have half of all.`
  return `${have}${few}${without}`
}

/** How many of the first groups hold at least half; `null` if all do not. */
function halfOf(groups: readonly LateGroup[], overdue: number): number | null {
  let sum = 0
  const index = groups.findIndex((group) => (sum += group.overdue) * 2 >= overdue)
  return index === -1 ? null : index + 1
}

export function dueFinding(days: readonly DueDay[], format: Format): string {
  const sum = (read: (day: DueDay) => number) => days.reduce((total, day) => total + read(day), 0)
  const due = sum((day) => day.due)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return 'No day to show.'
  const between = `from ${format.day(first.day)} to ${format.day(last.day)}`
  if (due === 0) return `Nothing falls due ${between}.`
  const most = days.reduce((a, b) => (b.open > a.open ? b : a))
  const open = sum((day) => day.open)
  const peak = open === 0 ? '' : `; most of these on ${format.day(most.day)}, ${format.count(most.open)}`
  return `${counted(format, due, 'assignment')} ${due === 1 ? 'falls' : 'fall'} due ${between}: ${format.count(sum((day) => day.handed_in))} handed in already, ${format.count(open)} still open${peak}.`
}
