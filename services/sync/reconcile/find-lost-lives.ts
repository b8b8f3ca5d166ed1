/**
 * Lives of an assignment whose `Created` never came. Every payload has `createdAt`, so each later event, and the platform's
 * list, tells that there was one. Pure.
 */
import { eventRanks } from '../../../schemas/webhook/event-bits.ts'

/** A row of `events-of-lost-lives`. Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export type HeardEvent = {
  assignment_id: string
  event_time_ms: number
  rank: number
  created_at_ms: number
  source: string
  user_id: string
  challenge_id: string
}

export type LostLife = {
  createdAtMs: number
  /** Another life runs until then, whose end did not come either. */
  isAfterAnother: boolean
  /** Source of the first event that came of it; '' = none came. */
  source: string
  userId: string
  challengeId: string
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
    const lastOf = (name: 'user_id' | 'challenge_id') => heard.find((event) => event[name] !== '')?.[name] ?? ''
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
    isDeleted = event.rank === eventRanks['assignmentDeleted.challenge']
    life = isDeleted ? undefined : event.created_at_ms || life || 0
  }
  return life
}

function isCreated(event: HeardEvent): boolean {
  return event.rank === eventRanks['assignmentCreated.challenge']
}
