/** Made histories of a company's assignments, of four kinds, each a hard one for a forecast in another way. */
import { createRandom } from '../../support/data/random.ts'

/** In days since the history began. `completed`: infinite where it never is. */
export type Made = { created: number; completed: number; due: number }

export const kinds = ['memoryless', 'weekdays', 'stall', 'rush'] as const
export type Kind = (typeof kinds)[number]

const historyDays = 460
const lastBatch = 400

export function makeHistory(kind: Kind, seed: number): Made[] {
  const { uniform } = createRandom(seed)
  const people = 120 + Math.floor(uniform() * 300)
  const toDaily = createDaily(kind, 0.02 + uniform() * 0.04, uniform)
  const made: Made[] = []
  for (let batch = 0; batch < lastBatch; batch += 5 + Math.floor(uniform() * 12)) {
    const days = [14, 21, 30, 45, 60][Math.floor(uniform() * 5)] ?? 30
    const size = Math.floor(people * (0.1 + 0.4 * uniform()))
    for (let n = 0; n < size; n++) {
      const created = batch + Math.floor(uniform() * 3)
      const due = created + days
      const isForgotten = uniform() < 0.06
      let completed = Infinity
      for (let day = created; day < historyDays && completed === Infinity && !isForgotten; day++) {
        if (uniform() < toDaily(day, due)) completed = day + uniform()
      }
      made.push({ created: created + uniform() / 2, completed: Math.max(completed, created + 0.5), due })
    }
  }
  return made
}

/** The chance to complete on a day. */
function createDaily(kind: Kind, usual: number, uniform: () => number): (day: number, due: number) => number {
  const stalls: (readonly [number, number])[] = []
  for (let day = 60 + uniform() * 60; day < 420; day += 60 + uniform() * 90)
    stalls.push([day, day + 10 + uniform() * 15])
  const daily: Record<Kind, (day: number, due: number) => number> = {
    memoryless: () => usual,
    weekdays: (day) => (day % 7 < 5 ? usual * 1.4 : 0.002),
    // For two or three weeks nobody in the company gets to it.
    stall: (day) => (stalls.some(([from, to]) => day >= from && day < to) ? usual * 0.08 : usual),
    rush: (day, due) => {
      const left = due - day
      return left > 7 ? usual * 0.35 : left < 0 ? 0.03 : usual / 2 + 0.22 * (1 - left / 8)
    },
  }
  return daily[kind]
}
