/** Holds the forecast and the one by age against what came, over the same made histories and past moments. */
import { toForecast, type WaitCounts } from '../../../reporting/forecast/forecast.ts'
import type { PastWaits } from '../../../reporting/forecast/hazard.ts'
import { forecastByAge } from './by-age.ts'
import { kinds, makeHistory, type Kind, type Made } from './histories.ts'

/** Over the cases of a kind; shares are percent of all assigned. */
export type Score = { held: number; width: number; pinball: number; error: number; ms: number }
export type Scores = { kind: Kind | 'all'; cases: number; withoutInterval: number; byAge: Score; own: Score }

const moments = [150, 180, 210, 240, 270, 300, 330, 360]
const days = [7, 14, 21, 28, 42, 56]

type Case = { byAge: Score; own: Score } | null

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
      byAge: toMean(told.map(({ byAge }) => byAge)),
      own: toMean(told.map(({ own }) => own)),
    }
  })
}

function toMean(scores: readonly Score[]): Score {
  const mean = (key: keyof Score) => scores.reduce((total, score) => total + score[key], 0) / scores.length
  return { held: mean('held'), width: mean('width'), pinball: mean('pinball'), error: mean('error'), ms: mean('ms') }
}

function toCases(history: readonly Made[], moment: number): Case[] {
  const known = history.filter(({ created }) => created <= moment)
  const { own, past } = toCounts(known, moment)
  if (own.completed < 30 || own.completed > own.assigned - 5) return []
  const [aged, agedMs] = measure(() => forecastByAge(own, own.waits, days))
  const [forecast, ownMs] = measure(() => toForecast(own, past, { days, target: 0.9 }))
  if (forecast.kind !== 'forecast') return days.map(() => null)
  return days.map((each, index) => {
    const point = forecast.points[index]
    const old = aged[index]
    if (point === undefined || point.low === null || point.high === null || old === undefined) return null
    const came = known.filter(({ completed }) => completed <= moment + each).length / known.length
    const slack = 0.5 / known.length
    return {
      byAge: toScore(old, came, slack, agedMs / days.length),
      own: toScore({ value: point.value, low: point.low, high: point.high }, came, slack, ownMs / days.length),
    }
  })
}

function toScore(
  { value, low, high }: { value: number; low: number; high: number },
  came: number,
  slack: number,
  ms: number,
): Score {
  const loss = (quantile: number, said: number) => Math.max(quantile * (came - said), (quantile - 1) * (came - said))
  return {
    held: came >= low - slack && came <= high + slack ? 1 : 0,
    width: 100 * (high - low),
    pinball: (100 * (loss(0.05, low) + loss(0.5, value) + loss(0.95, high))) / 3,
    error: 100 * Math.abs(came - value),
    ms,
  }
}

function measure<Result>(run: () => Result): [Result, number] {
  const began = performance.now()
  return [run(), performance.now() - began]
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
