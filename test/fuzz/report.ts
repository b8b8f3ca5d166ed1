/** The findings of a fuzz run, in numbers and in words. */
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'

export type Costly = { kind: string; bytes: number; ms: number; eventId: string }

export type FuzzReport = {
  mode: 'inside' | 'embedded'
  seed: number
  runs: number
  /** How often each answer, or outcome, was given. */
  outcomes: Map<string, number>
  /** Whatever must not happen; empty where all is well. */
  problems: string[]
  /** The most costly bodies: CPU time of the reading thread inside, time to the answer in the product. */
  worst: Costly[]
}

const worstKept = 10

export function createWorst() {
  let worst: Costly[] = []
  return {
    add(kind: string, body: Uint8Array, ms: number): void {
      const least = worst[worstKept - 1]
      if (least !== undefined && ms <= least.ms) return
      worst.push({ kind, bytes: body.byteLength, ms, eventId: toEventId(body) })
      worst = worst.sort((a, b) => b.ms - a.ms).slice(0, worstKept)
    },
    list: () => worst,
  }
}

/** The oracle: every body that was promised to be kept is an event or a failed event, and nothing else is. */
export function findLost(promised: ReadonlySet<string>, stored: ReadonlySet<string>): string[] {
  const lost = [...promised].filter((id) => !stored.has(id))
  const unknown = [...stored].filter((id) => !promised.has(id))
  return [
    ...(lost.length > 0
      ? [`${lost.length} acknowledged bodies are not stored: ${lost.slice(0, 5).join(', ')}`]
      : []),
    ...(unknown.length > 0
      ? [`${unknown.length} stored bodies were never sent: ${unknown.slice(0, 5).join(', ')}`]
      : []),
  ]
}

export const storedIdsSql = `SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS id
  FROM (SELECT event_id FROM rollcall.event_rows UNION ALL SELECT event_id FROM rollcall.failed_event_rows)`

export function toText(report: FuzzReport): string {
  const { mode, seed, runs, outcomes, problems, worst } = report
  const ordered = [...outcomes].sort(([, a], [, b]) => b - a)
  return [
    `${runs} bodies, seed ${seed}, ${mode}`,
    `Outcomes: ${ordered.map(([name, count]) => `${name} ${count}`).join(', ')}`,
    `Most costly bodies (${mode === 'inside' ? 'CPU time of reading and preparing' : 'time to the answer'}):`,
    ...worst.map(
      ({ kind, bytes, ms, eventId }) => `  ${ms.toFixed(1)} ms  ${bytes} bytes  ${kind}  ${eventId}`,
    ),
    problems.length === 0 ? 'No problem was found.' : `${problems.length} problems:`,
    ...problems.slice(0, 50).map((problem) => `  ${problem}`),
  ].join('\n')
}
