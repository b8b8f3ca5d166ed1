import { z } from 'zod'
import { columns, rowColumns, type AssignmentRow, type Content } from '../../../schemas/metrics/columns.ts'
import { timeline } from '../../../schemas/answers/timeline.ts'
import { calendarDate, count, frame, instant } from '../../../schemas/answers/values.ts'

const text = z.string()
const flag = z.boolean()

/** The shape of a value that is known. */
function toSchema(of: Content): z.ZodType {
  if ('instant' in of) return instant
  if ('day' in of) return calendarDate
  if ('fact' in of || 'reported' in of) return flag
  if ('first' in of) return z.enum(Object.keys(of.first))
  if ('number' in of) return of.number === 'life' || of.number === 'days_after_due' ? count : z.number()
  return 'besides' in of ? z.array(text) : text
}

export const assignmentRow = z
  .object(
    Object.fromEntries(
      rowColumns.map((name) => {
        const { holds, says } = columns[name]
        const isKnown = 'always' in holds || 'fact' in holds || 'besides' in holds
        return [name, (isKnown ? toSchema(holds) : toSchema(holds).nullable()).meta({ description: says })]
      }),
    ),
  )
  .meta({
    id: 'Assignment',
    description: 'One assignment at the moment, a field per fact of METRICS.md',
  }) as unknown as z.ZodType<AssignmentRow>

export const assignmentsAnswer = z
  .object({
    ...frame,
    sample: flag.meta({ description: 'Whether this is sample data: people and numbers are made up' }),
    total: count.nullable(),
    next: text.nullable().meta({ description: 'Address of the next page, as of the same moment' }),
    assignments: z.array(assignmentRow),
  })
  .meta({ id: 'AssignmentsAnswer' })

export const timelineAnswer = z
  .object({
    ...frame,
    assignment_id: text,
    state: assignmentRow
      .nullable()
      .meta({ description: 'null where it was deleted, or not created yet, at the moment' }),
    ...timeline.shape,
  })
  .meta({ id: 'TimelineAnswer' })
