/** The findings of the Overdue page: one sentence per figure, with its numbers and n. */
import type { DueDay, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { counted, type Format } from '../../../language/format.ts'
import { isolateText, t } from '../../../language/translate.ts'

export function personName({ user_id, name }: Pick<LatePerson, 'user_id' | 'name'>): string {
  return isolateText(name || user_id) || t('Unknown person')
}

/** "41 days"; 0 where a due instant has passed on the day of the moment. */
export function daysOverdue(days: number, format: Format): string {
  return days === 0 ? t('less than a day') : counted(format, days, 'day')
}

export function overdueFinding({ overdue, open_with_due_date, people }: Overdue, format: Format): string {
  if (open_with_due_date === 0) return t('No open assignments with a due date.')
  return t(
    '{overdue, number} of {n, plural, one {# open assignment} other {# open assignments}} with a due date ({share}) {overdue, plural, one {is} other {are}} overdue ({people}).',
    {
      overdue,
      n: open_with_due_date,
      share: format.percent(overdue / open_with_due_date),
      people: counted(format, people.length, 'person'),
    },
  )
}

export function dueFinding(days: readonly DueDay[], format: Format): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return t('No day to show.')
  const sum = (read: (day: DueDay) => number) => days.reduce((total, day) => total + read(day), 0)
  return t('{open} of {n} due from {from} to {to} still open.', {
    open: format.count(sum((day) => day.open)),
    n: format.count(sum((day) => day.due)),
    from: format.day(first.day),
    to: format.day(last.day),
  })
}
