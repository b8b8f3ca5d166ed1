/** Deletes the raw bodies that name a person: those of events wholly, those of failed events inside their row, which is counted. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Progress } from '../runtime/control/command.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { erasedBody, erasedProblem, namesErased, type ErasedPeople } from '../consumer/erased-people.ts'
import { toDeliveryColumns } from '../consumer/rows.ts'
import { toBase64 } from '../consumer/store/store-events.ts'
import { execute, select } from './statements.ts'

export type BodySearch = { user: string; pattern: string }
type Report = ((progress: Progress) => void) | undefined
type Row = { eventId: string; body: string }

/** How many bodies are read at a time. */
const bodiesPerRead = 500
/** How many rows one mutation deletes. Their ids must fit into the text of a statement. */
const rowsPerMutation = 4_000

/** Finds all bodies that may name the person. `namesErased` decides. */
export function toBodySearch(userId: string, emails: readonly string[]): BodySearch {
  const id = `"(?:id|user_?id)"\\s*:\\s*"?${toPattern(userId)}(?:\\.0*)?"?\\s*(?:[,}]|$)`
  return { user: userId, pattern: `(?i)${[id, ...emails.map(toPattern)].join('|')}` }
}

/** Each letter as it is, or as JSON may escape it: `\"`, `\/`, `\u00e4`. */
function toPattern(text: string): string {
  return Array.from(text, (letter) => {
    if (/^[a-z0-9]$/i.test(letter)) return letter
    const escapes = [letter.toLowerCase(), letter.toUpperCase()].map((form) =>
      form
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    )
    return `(?:${[letter, `\\${letter}`, ...escapes].map(toLiteral).join('|')})`
  }).join('')
}

const toLiteral = (text: string): string =>
  Array.from(text, (letter) => `\\x{${letter.codePointAt(0)?.toString(16)}}`).join('')

/** Returns how many bodies went. */
export async function eraseBodies(
  client: ClickHouseClient,
  search: BodySearch,
  erased: ErasedPeople,
  report: Report,
): Promise<number> {
  const ids: string[] = []
  for await (const rows of readNaming<Row>(client, 'bodies', search, erased, report)) {
    ids.push(...rows.map(({ eventId }) => eventId))
  }
  const unique = [...new Set(ids)]
  for (let start = 0; start < unique.length; start += rowsPerMutation) {
    report?.({ step: 'Deleting raw events', done: start, total: unique.length })
    await execute(client, 'forget-bodies', { ids: unique.slice(start, start + rowsPerMutation) })
  }
  return unique.length
}

/** Returns how many failed events lost their body. The new rows come first: a crash in between can be repeated. */
export async function eraseFailedBodies(
  client: ClickHouseClient,
  search: BodySearch,
  erased: ErasedPeople,
  report: Report,
): Promise<number> {
  type FailedRow = Row &
    Omit<PositionedRecord, 'key' | 'body'> & { partition: number; reasons: string[]; erasedAt: number }
  let count = 0
  for await (const rows of readNaming<FailedRow>(client, 'failed-events', search, erased, report)) {
    const at = toLaterTime(Date.now(), Math.max(0, ...rows.map(({ erasedAt }) => erasedAt)))
    const byId = new Map(rows.map((row) => [row.eventId, row]))
    const clean = [...byId.values()].map((row) => ({
      ...toDeliveryColumns(row, row.partition),
      reasons: row.reasons,
      problems: row.reasons.map(() => erasedProblem),
      bodyBase64: toBase64(erasedBody),
      erasedAt: at,
    }))
    await insertRows(client, 'failed_event_rows', clean)
    await execute(client, 'forget-failed-events', { ids: [...byId.keys()], at: new Date(at) })
    count += byId.size
  }
  return count
}

async function* readNaming<Found extends Row>(
  client: ClickHouseClient,
  what: 'bodies' | 'failed-events',
  search: BodySearch,
  erased: ErasedPeople,
  report: Report,
): AsyncGenerator<Found[]> {
  const step = what === 'bodies' ? 'Reading raw events' : 'Reading failed events'
  report?.({ step })
  const ids = (await select<{ eventId: string }>(client, `${what}-to-read`, search)).map((row) => row.eventId)
  for (let start = 0; start < ids.length; start += bodiesPerRead) {
    report?.({ step, done: start, total: ids.length })
    const rows = await select<Found>(client, `${what}-by-id`, {
      ids: ids.slice(start, start + bodiesPerRead),
    })
    const naming = rows.filter(({ body }) => namesErased(Buffer.from(body, 'base64'), erased))
    if (naming.length > 0) yield naming
  }
}
