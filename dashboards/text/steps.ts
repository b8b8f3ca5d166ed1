/** The steps of an assignment in words. */
import type { Step, StepKind } from '../../reporting/explain/steps.ts'
import type { Format } from './format.ts'

const words: Record<StepKind, string> = {
  assigned: 'Assigned',
  assigned_again: 'Assigned again',
  viewed: 'Viewed',
  started: 'Started',
  submitted: 'Handed in',
  graded: 'Graded',
  regraded: 'Grade changed',
  completed: 'Completed',
  due_moved: 'Due date moved',
  failed: 'Failed',
  deleted: 'Taken away',
}

export function stepWords({ kind, from, to }: Step, format: Format): { name: string; detail: string } {
  const day = (value: unknown) => (typeof value === 'string' ? format.instantDay(value) : 'none')
  const grade = (value: unknown) => (typeof value === 'number' ? format.decimal(value) : 'unknown')
  const name = words[kind]
  if (kind === 'assigned' || kind === 'assigned_again')
    return { name, detail: to === null || to === undefined ? 'without a due date' : `due ${day(to)}` }
  if (kind === 'due_moved') return { name, detail: `from ${day(from)} to ${day(to)}` }
  if (kind === 'regraded')
    return { name, detail: from === to ? 'passed or not, changed' : `from ${grade(from)} to ${grade(to)}` }
  if (kind === 'graded') return { name, detail: `grade ${grade(to)}` }
  return { name, detail: '' }
}
