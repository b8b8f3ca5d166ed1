import { readFileSync } from 'node:fs'
import type { AssignmentEventType } from '../reading/reading.ts'
import type { Delivery } from '../scope.ts'

/** Short ways to write hand-made examples down. */

/** `at('2026-03-02T09:00Z')`, or a date alone for its midnight UTC. */
export function at(text: string): number {
  const instant = Date.parse(text)
  if (Number.isNaN(instant)) throw new RangeError(`not an instant: ${text}`)
  return instant
}

export function delivery(body: unknown): Delivery {
  return {
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    receivedAt: 1,
  }
}

type Word = 'Created' | 'Progress' | 'Completed' | 'Deleted'

/** An event of assignment `a`, of user `u` and challenge `c` unless the fields say otherwise. */
export function event(
  word: Word,
  timestamp: string,
  assignment: { [field: string]: unknown } = {},
  user: { [field: string]: unknown } = {},
): Delivery {
  const eventType: AssignmentEventType = `assignment${word}.challenge`
  return delivery({
    eventType,
    timestamp: at(timestamp),
    user: { id: 'u', ...user },
    challenge: { id: 'c', displayTitle: 'First aid' },
    challengeAssignment: { id: 'a', challengeId: 'c', ...assignment },
  })
}

/** The answers worked out in `docs/golden-company.md`, by metric: under each heading of a key, its JSON block. */
export function readGoldenDocument(): Record<string, unknown> {
  const text = readFileSync(new URL('../../../docs/golden-company.md', import.meta.url), 'utf8')
  const answers = text.matchAll(/^### (\w+)\n[^#]*?```json\n([\s\S]*?)```/gm)
  return Object.fromEntries([...answers].map(([, key, json]) => [key, JSON.parse(json ?? '') as unknown]))
}

/** Fractions in the document are cut to twelve digits. */
export function toDocumentDigits(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(12)) : each,
    ),
  )
}
