/** Deliveries that contradict themselves, for the Health page. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstant } from '../../schemas/instant.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type ContradictionLine = {
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

const stored = readFixed(join(import.meta.dirname, 'health.sql'))('contradictions', 'nobody', { isHeld: true })

const rowsSchema = z.array(
  z.object({ bit: z.number(), events: z.number(), first_seen: z.number(), last_seen: z.number() }),
)

export async function readContradictions(reader: Reader): Promise<Contradictions> {
  const rows = rowsSchema.parse(await select(reader, stored, {}))
  return {
    total: rows.find(({ bit }) => bit === 0)?.events ?? 0,
    lines: contradictions.flatMap(({ bit, name, text }) => {
      const row = rows.find((one) => one.bit === bit)
      if (row === undefined) return []
      const [first_seen, last_seen] = [toInstant(row.first_seen), toInstant(row.last_seen)]
      return [{ name, text, events: row.events, first_seen, last_seen }]
    }),
  }
}
