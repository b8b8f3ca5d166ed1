/** The events of assignments, in event order: what their lives, states and regrades follow from. */
import { z } from 'zod'
import { instantSchema, toInstantOrNull } from '../../schemas/instant.ts'
import { numbersInOrder, toAssignmentKey } from '../../schemas/webhook/event-bits.ts'
import type { Reader } from '../read/reader.ts'
import { instant, list, raw, sql, where, type Fragment } from '../expressions/sql.ts'
import { select, type Seen, type Statement } from '../read/statement.ts'

const assignmentEventSchema = z.object({
  akey: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  /** Of `eventNumbers`. */
  type_number: z.number(),
  at: instantSchema,
  received_at: instantSchema,
  status: z.string().transform((word) => word || null),
  flags_known: z.number(),
  flags_true: z.number(),
  calculated_grade: z.number().nullable(),
  completion_percentage: z.number().nullable(),
  due_date: z.number().transform(toInstantOrNull),
})
export type AssignmentEvent = z.infer<typeof assignmentEventSchema>

const column = (name: string) => `rollcall.event_rows.${name}`
/**
 * Each event once, the first delivery, as the view `events` has it, and in event order. By LIMIT BY, since FINAL takes four times as long
 * for scattered keys. Columns with their table: an alias would take a column's place, and that of its index.
 */
const onceInOrder = raw(
  `ORDER BY ${column('event_time')}, ${column('updated_at')}, indexOf([${numbersInOrder.join(', ')}], type_number), replaceAll(toString(${column('event_id')}), '-', ''), first_delivery DESC
LIMIT 1 BY ${column('akey')}, ${column('event_id')}`,
)

/** The events of people seen; those that name nobody, where a state of somebody seen began with them. */
function ofSeen(seen: Seen, akeys: readonly bigint[]): Fragment | null {
  const only = seen.only('user_id')
  if (only === null) return null
  const keys = list('UInt64', akeys)
  const begun = (table: string) =>
    sql`SELECT akey, valid_from FROM rollcall.${raw(table)} ${where(sql`akey IN ${keys}`, only)}`
  const isBeginning = sql`(${raw(`${column('akey')}, event_time`)}) IN (${begun('open_versions')} UNION ALL ${begun('closed_versions')})`
  return sql`(${only} OR (user_id = '' AND ${isBeginning}))`
}

/** The events of some assignments after one moment and up to another: what their states follow from. */
export const eventsBetween: Statement<{ akeys: readonly string[]; from: number; asOf: number }> = {
  name: 'events-between',
  about: 'ids',
  asNumbers: true,
  text({ akeys: texts, from, asOf }, seen) {
    const akeys = texts.map(BigInt)
    return sql`SELECT
    toString(akey) AS akey,
    replaceAll(toString(event_id), '-', '') AS event_id,
    event_type,
    type_number,
    toUnixTimestamp64Milli(event_time) AS at,
    toUnixTimestamp64Milli(received_at) AS received_at,
    status,
    flags_known,
    flags_true,
    grade AS calculated_grade,
    completion_percentage,
    toUnixTimestamp64Milli(due_date) AS due_date
FROM rollcall.event_rows
${where(
  sql`${raw(column('akey'))} IN ${list('UInt64', akeys)}`,
  ofSeen(seen, akeys),
  raw('type_number > 0'),
  sql`event_time > ${instant(from)}`,
  sql`event_time <= ${instant(asOf)}`,
)}
${onceInOrder}`
  },
}

export async function readEvents(
  reader: Reader,
  args: { akeys: readonly string[]; from: number; asOf: number },
): Promise<AssignmentEvent[]> {
  return assignmentEventSchema.array().parse(await select(reader, eventsBetween, args))
}

/** Events of one assignment up to an instant; empty if it is not known then. */
export const readAssignmentEvents = (reader: Reader, id: string, asOf: number): Promise<AssignmentEvent[]> =>
  readEvents(reader, { akeys: [toAssignmentKey(id)], from: 0, asOf })
