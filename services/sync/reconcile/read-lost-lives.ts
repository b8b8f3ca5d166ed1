/** Which of a person's assignments were created without our hearing of it, by what is stored and what the platform lists. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toAssignmentKey } from '../../../schemas/webhook/assignment-key.ts'
import type { AssignmentPayload } from '../../platform/platform-client.ts'
import { select } from '../statements.ts'
import type { Difference, HeldAssignment } from './compare-assignments.ts'
import { findLostLives, type HeardEvent } from './find-lost-lives.ts'

/** When the deliveries of a token began, epoch ms. Of a life of which nothing came: those of any token. */
export type DeliveriesBegan = (source: string) => number

export async function readDeliveriesBegan(client: ClickHouseClient): Promise<DeliveriesBegan> {
  const rows = await select<{ source: string; began_ms: number }>(client, 'deliveries-began')
  const bySource = new Map(rows.map(({ source, began_ms }) => [source, began_ms]))
  const earliest = rows.reduce((least, { began_ms }) => Math.min(least, began_ms), Infinity)
  return (source) => bySource.get(source) ?? earliest
}

export type LostLivesOptions = {
  userId: string
  payloads: readonly AssignmentPayload[]
  ourRows: readonly HeldAssignment[]
  deliveriesBegan: DeliveriesBegan
  /** Whether to look for a life that was created at this moment, epoch ms. */
  isWanted: (createdAtMs: number) => boolean
}

/** One that cannot be healed is found once. */
export async function readLostLives(client: ClickHouseClient, options: LostLivesOptions): Promise<Difference[]> {
  const { userId, payloads, ourRows, deliveriesBegan, isWanted } = options
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
  })
  const byAssignment = Map.groupBy(events, (event) => event.assignment_id)
  for (const id of listed.keys()) if (!byAssignment.has(id)) byAssignment.set(id, [])

  const challenges = new Map(payloads.map(({ event: { assignment } }) => [assignment.id, assignment.challengeId]))
  const lives = [...byAssignment].flatMap(([assignmentId, heard]) =>
    findLostLives(heard, listed.get(assignmentId) ?? 0)
      .filter(({ createdAtMs }) => isWanted(createdAtMs))
      .map((life) => ({
        kind: 'created' as const,
        assignmentId,
        userId: life.userId || userId,
        challengeId: life.challengeId || challenges.get(assignmentId) || ours.get(assignmentId)?.challengeId || '',
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
