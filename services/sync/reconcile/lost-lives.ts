/**
 * Lives of an assignment whose `Created` never came. Every payload has `createdAt`, so each later event, and the platform's
 * list, tells that there was one.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { eventNumbers, numbersInOrder, toAssignmentKey } from '../../../schemas/webhook/event-bits.ts'
import type { AssignmentPayload } from '../../platform/platform-client.ts'
import { select } from '../statements.ts'
import type { Difference, HeldAssignment, LostLife } from './compare-assignments.ts'

/** A row of `events-of-lost-lives`. Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export type HeardEvent = {
  assignment_id: string
  event_time_ms: number
  type_number: number
  created_at_ms: number
  source: string
  user_id: string
  challenge_id: string
}

/** Some answers cut a time to its second: not another life. */
const sameMomentMs = 1_000

/** `events`: of one assignment, in event order. `listedCreatedAtMs`: as the platform's list says; 0 = nothing. */
export function findLostLives(events: readonly HeardEvent[], listedCreatedAtMs: number): LostLife[] {
  const lives = Map.groupBy(events, (event) => event.created_at_ms)
  if (!lives.has(listedCreatedAtMs)) lives.set(listedCreatedAtMs, [])
  lives.delete(0)
  return [...lives].flatMap(([createdAtMs, heard]) => {
    const [first] = heard
    if (heard.some(isCreated) || (first !== undefined && first.event_time_ms <= createdAtMs)) return []
    // One that does not say when, or says it otherwise, is taken for the Created that is looked for.
    const next = events.find((event) => event.event_time_ms >= createdAtMs)
    if (next !== undefined && isCreated(next)) return []
    const running = toLifeBefore(events, createdAtMs)
    if (running !== undefined && (running === 0 || createdAtMs - running < sameMomentMs)) return []
    const lastOf = (name: 'user_id' | 'challenge_id') =>
      heard.find((event) => event[name] !== '')?.[name] ?? ''
    const ids = { userId: lastOf('user_id'), challengeId: lastOf('challenge_id') }
    return [{ createdAtMs, isAfterAnother: running !== undefined, source: first?.source ?? '', ...ids }]
  })
}

/** The `createdAt` of the life that runs just before a moment: 0 = unknown; `undefined`: none runs. */
function toLifeBefore(events: readonly HeardEvent[], atMs: number): number | undefined {
  let life: number | undefined
  let isDeleted = false
  for (const event of events) {
    if (event.event_time_ms >= atMs) break
    if (isDeleted && !isCreated(event)) continue
    isDeleted = event.type_number === eventNumbers['assignmentDeleted.challenge']
    life = isDeleted ? undefined : event.created_at_ms || life || 0
  }
  return life
}

function isCreated(event: HeardEvent): boolean {
  return event.type_number === eventNumbers['assignmentCreated.challenge']
}

/** When the deliveries of a token began, epoch ms. Of a life of which nothing came: those of any token. */
export type DeliveriesBegan = (source: string) => number

export async function readDeliveriesBegan(client: ClickHouseClient): Promise<DeliveriesBegan> {
  const rows = await select<{ source: string; began_ms: number }>(client, 'deliveries-began')
  const bySource = new Map(rows.map(({ source, began_ms }) => [source, began_ms]))
  const earliest = rows.reduce((least, { began_ms }) => Math.min(least, began_ms), Infinity)
  return (source) => bySource.get(source) ?? earliest
}

type LostLivesOptions = {
  userId: string
  payloads: readonly AssignmentPayload[]
  ourRows: readonly HeldAssignment[]
  deliveriesBegan: DeliveriesBegan
  /** The events of later lives may still be on their way. */
  settledBeforeMs: number
}

/** Those of a person, by what is stored and what the platform lists. One that cannot be repaired is found once. */
export async function readLostLives(
  client: ClickHouseClient,
  options: LostLivesOptions,
): Promise<Difference[]> {
  const { userId, payloads, ourRows, deliveriesBegan, settledBeforeMs } = options
  const ours = new Map(ourRows.map((row) => [row.assignmentId, row]))
  const listed = new Map<string, number>()
  for (const { event } of payloads) {
    const createdAtMs = event.wire.challengeAssignment?.createdAt ?? 0
    const ourRow = ours.get(event.assignment.id)
    if (ourRow === undefined || ourRow.isDeleted === 1 || ourRow.createdAtMs !== createdAtMs)
      listed.set(event.assignment.id, createdAtMs)
  }
  const assignments = [...new Set([...ours.keys(), ...listed.keys()])]
  if (assignments.length === 0) return []
  const events = await select<HeardEvent>(client, 'events-of-lost-lives', {
    assignments,
    keys: assignments.map((id) => BigInt(toAssignmentKey(id))),
    listed: [...listed.keys()],
    created: eventNumbers['assignmentCreated.challenge'],
    order: numbersInOrder,
  })
  const byAssignment = Map.groupBy(events, (event) => event.assignment_id)
  for (const id of listed.keys()) if (!byAssignment.has(id)) byAssignment.set(id, [])

  const challenges = new Map(
    payloads.map(({ event: { assignment } }) => [assignment.id, assignment.challengeId]),
  )
  const lives = [...byAssignment].flatMap(([assignmentId, heard]) =>
    findLostLives(heard, listed.get(assignmentId) ?? 0)
      .filter(({ createdAtMs }) => createdAtMs < settledBeforeMs)
      .map((life) => ({
        kind: 'created' as const,
        assignmentId,
        userId: life.userId || userId,
        challengeId:
          life.challengeId || challenges.get(assignmentId) || ours.get(assignmentId)?.challengeId || '',
        fields: [],
        life,
        isTooEarly: life.createdAtMs <= deliveriesBegan(life.source),
      })),
  )
  const tooEarly = lives.filter(({ isTooEarly }) => isTooEarly).map(({ assignmentId }) => assignmentId)
  if (tooEarly.length === 0) return lives
  const before = await select<{ assignment_id: string }>(client, 'listed-before', { assignments: tooEarly })
  const ids = new Set(before.map((row) => row.assignment_id))
  return lives.filter(({ isTooEarly, assignmentId }) => !isTooEarly || !ids.has(assignmentId))
}
