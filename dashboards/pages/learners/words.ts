import { capital, type Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import { statusWords } from '../../../reporting/words/change-words.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'

/** "Overdue by 165 days", "Completed, grade 79". */
export function stateWords(
  { effective_status, days_overdue, calculated_grade: grade }: AssignmentRow,
  format: Format,
) {
  if (days_overdue !== null)
    return t('Overdue by {n, plural, =0 {less than a day} one {# day} other {# days}}', { n: days_overdue })
  const status = capital(statusWords(effective_status))
  if (grade === null) return status
  return `${status}, ${t('grade {calculatedGrade}', { calculatedGrade: format.decimal(grade) })}`
}

/** "due 16 Jun 2026", "no due date". */
export function dueWords({ due_day }: AssignmentRow, format: Format): string {
  return due_day === null ? t('no due date') : t('due {dueDate}', { dueDate: format.dayYear(due_day) })
}
