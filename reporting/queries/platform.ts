/** Deliveries in which the platform contradicts itself, or sends something odd. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstant } from '../../schemas/instant.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

type ContradictionLine = {
  /** As in the view `events`. */
  name: string
  text: (typeof contradictions)[number]['text']
  events: number
  first_seen: string
  last_seen: string
}

export type Contradictions = {
  /** Deliveries with at least one. */
  total: number
  lines: ContradictionLine[]
}

const oddEvents = readFixed(join(import.meta.dirname, 'health.sql'))('odd-events', 'nobody', { isHeld: true })

const oddSchema = z.array(
  z.object({
    kind: z.enum(['retyped', 'early', 'ahead', 'event_type', 'contradiction']),
    name: z.string(),
    events: z.number(),
    first_seen: z.number(),
    last_seen: z.number(),
    examples: z.array(z.string()),
  }),
)

/** Events in which something is odd; of a contradiction the name is its bit. */
export async function readOddEvents(reader: Reader): Promise<z.infer<typeof oddSchema>> {
  return oddSchema.parse(await select(reader, oddEvents, {}))
}

export async function readContradictions(reader: Reader): Promise<Contradictions> {
  const rows = (await readOddEvents(reader)).filter(({ kind }) => kind === 'contradiction')
  const rowOf = (bit: number) => rows.find(({ name }) => name === String(bit))
  return {
    total: rowOf(0)?.events ?? 0,
    lines: contradictions.flatMap(({ bit, name, text }) => {
      const row = rowOf(bit)
      if (row === undefined) return []
      const [first_seen, last_seen] = [toInstant(row.first_seen), toInstant(row.last_seen)]
      return [{ name, text, events: row.events, first_seen, last_seen }]
    }),
  }
}
