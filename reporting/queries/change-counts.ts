/** How much changed in a scope between two moments: by kind and cause, by team and challenge. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { createHeldAnswers } from '../metrics/held-answers.ts'
import { countChanges, type Moments } from '../columns/changes.ts'
import type { Memory } from '../columns/memory.ts'
import { columnsBetween } from '../statements/columns-for.ts'
import type { Reader } from '../read/reader.ts'
import {
  briefKinds,
  changeCauses,
  changeKinds,
  type ChangeCause,
  type ChangeCounted,
  type ChangeKind,
} from '../metrics/changes.ts'

/** `by_team`: someone in two teams counts in both, nobody's team is the empty id. Most first. */
export type ChangeCount = {
  kind: ChangeKind
  n: number
  causes: Record<ChangeCause, number>
  by_team: { id: string; n: number }[]
  by_challenge: { id: string; n: number }[]
}

/** `total`: assignments that changed; one that changed in several ways is in the counts of each. Kinds with any. */
export type ChangeCounts = { total: number; kinds: ChangeCount[] }

export async function readChangeCounts(reader: Reader, before: Scope, scope: Scope): Promise<ChangeCounts> {
  return readCounts(reader, before, scope, false)
}

async function readCounts(
  reader: Reader,
  before: Scope,
  scope: Scope,
  brief: boolean,
): Promise<ChangeCounts> {
  const kinds = brief ? briefKinds : changeKinds
  const count = (memory: Memory, moments: Moments) => countChanges(memory, moments, kinds)
  return toChangeCounts(await columnsBetween(reader, before, scope, count))
}

export type BriefChangeCount = Pick<ChangeCount, 'n' | 'by_team'> & { kind: (typeof briefKinds)[number] }

/** The same numbers of `briefKinds`, much faster. */
export async function readBriefChanges(
  reader: Reader,
  before: Scope,
  scope: Scope,
): Promise<BriefChangeCount[]> {
  const { kinds } = await readCounts(reader, before, scope, true)
  return briefKinds.flatMap((kind) =>
    kinds.filter((each) => each.kind === kind).map(({ n, by_team }) => ({ kind, n, by_team })),
  )
}

function toChangeCounts(rows: readonly ChangeCounted[]): ChangeCounts {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const countOf = (counts: readonly ChangeCounted[]) =>
    counts.find(({ dimension }) => dimension === 'all')?.n ?? 0
  return {
    total: countOf(byKind.get(changeKinds.length) ?? []),
    kinds: changeKinds.flatMap((kind, bit) => {
      const counts = byKind.get(bit)
      return counts === undefined ? [] : [{ kind, n: countOf(counts), ...toDimensions(counts) }]
    }),
  }
}

type BriefChangesReader = (before: Scope, scope: Scope) => Promise<BriefChangeCount[]>

/**
 * The same, shared among readers who may see the same of the same two moments. The strip of the Overview asks at the moment of
 * an answer that is shared itself, so many readers make one statement. One at a time, because it is a large one.
 */
export function holdBriefChanges(read: BriefChangesReader, audienceKey: () => string): BriefChangesReader {
  const answers = createHeldAnswers<BriefChangeCount[]>({ readsAtOnce: 1 })
  return (before, scope) => {
    // `now` moves at every question; only what `asOf` says goes into the answer.
    const filters = Object.entries(scope).filter(([key]) => key !== 'now')
    const sorted = filters.sort(([a], [b]) => (a < b ? -1 : 1))
    return answers.get(JSON.stringify([audienceKey(), before.asOf, sorted]), () => read(before, scope))
  }
}

function toDimensions(
  counts: readonly ChangeCounted[],
): Pick<ChangeCount, 'causes' | 'by_team' | 'by_challenge'> {
  const of = (name: ChangeCounted['dimension']) => counts.filter(({ dimension }) => dimension === name)
  const sum = (rows: readonly ChangeCounted[]) => rows.reduce((total, { n }) => total + n, 0)
  const toGroups = (entries: readonly (readonly [string, ChangeCounted])[]) =>
    [...Map.groupBy(entries, ([id]) => id)]
      .map(([id, each]) => ({ id, n: sum(each.map(([, row]) => row)) }))
      .sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1))
  const byCause = changeCauses.map((cause) => [
    cause,
    sum(of('cause').filter(({ ids }) => ids.includes(cause))),
  ])
  return {
    causes: Object.fromEntries(byCause) as ChangeCount['causes'],
    by_team: toGroups(
      of('team').flatMap((row) => (row.ids.length === 0 ? [''] : row.ids).map((id) => [id, row] as const)),
    ),
    by_challenge: toGroups(of('challenge').map((row) => [row.ids[0] ?? '', row] as const)),
  }
}
