/** The analysts' view `events`, printed from the tables of wire fields, event types and contradictions (schemas/webhook). */
import { contradictions } from '../schemas/webhook/contradictions.ts'
import { numbersInOrder } from '../schemas/webhook/event-bits.ts'
import { assignmentEventTypes, assignmentFieldList } from '../schemas/webhook/event.ts'

type Printed = { name: string; type: string; says: string; sql: string }

const instant = "DateTime64(3, 'UTC')"
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const toText = (column: string) => `nullIf(toString(${column}), '')`

const ofEvents: Printed[] = [
  {
    name: 'event_id',
    type: 'String',
    says: 'First 32 hexadecimal digits of SHA-256 over the raw body',
    sql: "replaceAll(toString(event_id), '-', '')",
  },
  { name: 'event_type', type: 'String', says: 'eventType as sent', sql: 'event_type' },
  { name: 'event_time', type: instant, says: 'timestamp of the event', sql: 'event_time' },
  { name: 'received_at', type: instant, says: 'When it was received, first delivery', sql: 'received_at' },
  { name: 'source', type: 'String', says: 'Name of the ingest token by which it came', sql: 'source' },
  {
    name: 'recognised',
    type: 'Bool',
    says: `Whether its type makes states: ${assignmentEventTypes.join(', ')}`,
    sql: 'CAST(type_number > 0 AS Bool)',
  },
  {
    name: 'type_order',
    type: 'UInt8',
    says: 'Order of the types that make states among events of one moment; 0 = another type',
    sql: `CAST(indexOf([${numbersInOrder.join(', ')}], type_number) AS UInt8)`,
  },
  {
    name: 'assignment_id',
    type: 'Nullable(String)',
    says: 'challengeAssignment.id',
    sql: "nullIf(assignment_id, '')",
  },
  {
    name: 'challenge_id',
    type: 'Nullable(String)',
    says: 'challengeAssignment.challengeId, else challenge.id',
    sql: toText('challenge_id'),
  },
  { name: 'user_id', type: 'Nullable(String)', says: 'user.id as text', sql: toText('user_id') },
]

const ofFields = assignmentFieldList.flatMap(([field, { type, column = '', bit }]): Printed[] => {
  const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  switch (type) {
    case 'id':
      return []
    case 'status':
      return [
        { name, type: 'Nullable(String)', says: 'Status word of the specification', sql: toText(column) },
      ]
    case 'flag': {
      const sql = `CAST(if(bitTest(flags_known, ${bit}), bitTest(flags_true, ${bit}), NULL) AS Nullable(Bool))`
      return [{ name, type: 'Nullable(Bool)', says: `${field} as sent`, sql }]
    }
    case 'number':
      return [{ name, type: 'Nullable(Float64)', says: `${field} as sent`, sql: column }]
    case 'time':
      return [
        {
          name,
          type: `Nullable(${instant})`,
          says: field,
          sql: `nullIf(${column}, toDateTime64(0, 3, 'UTC'))`,
        },
      ]
  }
})

const ofReading: Printed[] = [
  {
    name: 'drift',
    type: 'Array(String)',
    says: 'Fields that were sent in a way the specification does not know',
    sql: 'drift',
  },
  {
    name: 'contradictions',
    type: 'Array(String)',
    says:
      'Statements of the delivery that contradict each other; they change no number. ' +
      contradictions.map(({ name, text }) => `${name}: ${text}`).join('; '),
    sql: `arrayMap(
        bit -> arrayElement(
            [
${contradictions.map(({ name }) => `                '${name}'`).join(',\n')}
            ],
            bit + 1
        ),
        bitPositionsToArray(contradictions)
    )`,
  },
]

export function printEventsView(): string {
  const columns = [...ofEvents, ...ofFields, ...ofReading]
  return `-- Printed by \`npm run docs:data\` from schemas/webhook/event.ts and contradictions.ts.
-- The analysts' contract: every event once, although the table may hold several deliveries of it. The first delivery counts.
CREATE OR REPLACE VIEW rollcall.events
(
${columns.map(({ name, type, says }) => `    ${name} ${type} COMMENT ${quote(says)}`).join(',\n')}
) AS
SELECT
${columns.map(({ name, sql }) => `    ${sql === name ? name : `${sql} AS ${name}`}`).join(',\n')}
-- FINAL is right here, unlike in signed tables: the key contains the event's id, and the engine keeps the first delivery of equal keys.
FROM rollcall.event_rows FINAL
COMMENT 'Every stored event once'
`
}
