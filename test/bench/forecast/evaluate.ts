/** Compares the forecast with the outcome, over made histories and past moments. */
import { toForecast, type WaitCounts } from '../../../reporting/forecast/forecast.ts'
import type { PastWaits } from '../../../reporting/forecast/hazard.ts'
import { kinds, makeHistory, type Kind, type Made } from './histories.ts'

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
