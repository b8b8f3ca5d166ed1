/** Compares the forecast with the outcome, over made histories of four kinds and past moments. `node test/bench/forecast.ts [histories]` */
import { toForecast, type WaitCounts } from '../../reporting/forecast/forecast.ts'
import type { PastWaits } from '../../reporting/forecast/hazard.ts'
import { createRandom } from '../support/data/random.ts'
import { readArguments } from './arguments.ts'

/** Over the cases of a kind; shares are percent of all assigned. */
type Score = { held: number; width: number; pinball: number; error: number; ms: number }
export type Scores = Score & { kind: Kind | 'all'; cases: number; withoutInterval: number }

const moments = [150, 180, 210, 240, 270, 300, 330, 360]
const days = [7, 14, 21, 28, 42, 56]

export function evaluate(histories: number): Scores[] {
  const byKind = kinds.map((kind, number) => {
    const seeds = Array.from({ length: histories }, (_, history) => 1_000 * history + 77 * number + 5)
    const cases = seeds.flatMap((seed) => {
      const history = makeHistory(kind, seed)
      return moments.flatMap((moment) => toCases(history, moment))
    })
    return { kind, cases }
  })
  const all = byKind.flatMap(({ cases }) => cases)
  return [...byKind, { kind: 'all' as const, cases: all }].map(({ kind, cases }) => {
    const told = cases.filter((one) => one !== null)
    return {
      kind,
      cases: told.length,
      withoutInterval: cases.length - told.length,
      ...toMean(told),
    }
  })
}

function toMean(scores: readonly Score[]): Score {
  const mean = (key: keyof Score) => scores.reduce((total, score) => total + score[key], 0) / scores.length
  return { held: mean('held'), width: mean('width'), pinball: mean('pinball'), error: mean('error'), ms: mean('ms') }
}

function toCases(history: readonly Made[], moment: number): (Score | null)[] {
  const known = history.filter(({ created }) => created <= moment)
  const { own, past } = toCounts(known, moment)
  if (own.completed < 30 || own.completed > own.assigned - 5) return []
  const began = performance.now()
  const forecast = toForecast(own, past, { days, target: 0.9 })
  const ms = (performance.now() - began) / days.length
  if (forecast.kind !== 'forecast') return days.map(() => null)
  return days.map((each, index) => {
    const point = forecast.points[index]
    if (point === undefined || point.low === null || point.high === null) return null
    const came = known.filter(({ completed }) => completed <= moment + each).length / known.length
    const interval = { value: point.value, low: point.low, high: point.high }
    return { ...toScore(interval, came, 0.5 / known.length), ms }
  })
}

function toScore(
  { value, low, high }: { value: number; low: number; high: number },
  came: number,
  slack: number,
): Omit<Score, 'ms'> {
  const loss = (quantile: number, said: number) => Math.max(quantile * (came - said), (quantile - 1) * (came - said))
  return {
    held: came >= low - slack && came <= high + slack ? 1 : 0,
    width: 100 * (high - low),
    pinball: (100 * (loss(0.05, low) + loss(0.5, value) + loss(0.95, high))) / 3,
    error: 100 * Math.abs(came - value),
  }
}

function toCounts(known: readonly Made[], moment: number): { own: WaitCounts; past: PastWaits } {
  const ended = new Map<number, number>()
  const censored = new Map<number, number>()
  const open = new Map<string, WaitCounts['open'][number]>()
  const add = (counts: Map<number, number>, day: number) => counts.set(day, (counts.get(day) ?? 0) + 1)
  for (const { created, completed, due } of known) {
    const [age, left] = [Math.floor(moment - created), Math.floor(due - moment)]
    if (completed <= moment) add(ended, Math.floor(completed - created))
    else {
      add(censored, age)
      const group = open.get(`${age} ${left}`) ?? { age, left, n: 0, assignmentIds: [] }
      open.set(`${age} ${left}`, { ...group, n: group.n + 1 })
    }
  }
  const isDone = ({ completed }: Made) => completed <= moment
  return {
    own: {
      assigned: known.length,
      completed: known.filter(isDone).length,
      waits: { ended, censored },
      open: [...open.values()],
    },
    past: {
      born: known.map(({ created }) => Math.floor(moment - created)),
      ended: known.map((made) => (isDone(made) ? Math.floor(moment - made.completed) : -1)),
      completed: known.map((made) => (isDone(made) ? 1 : 0)),
      due: known.map(({ due }) => Math.floor(due - moment)),
    },
  }
}

// Made histories of a company's assignments, of four kinds, each a hard one for a forecast in another way.

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

if (import.meta.main) {
  console.table(
    Object.fromEntries(
      evaluate(readArguments({ histories: 6 }).histories).map(({ kind, cases, held, width, pinball, error, ms }) => [
        kind,
        {
          cases,
          'held, %': (100 * held).toFixed(1),
          'width, points': width.toFixed(2),
          'pinball loss': pinball.toFixed(3),
          'mean error, points': error.toFixed(2),
          ms: ms.toFixed(1),
        },
      ]),
    ),
  )
}
