/** How much changed in a scope between two moments: by kind and cause, by team and challenge. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { createHeldAnswers, type HeldAnswersOptions } from '../metrics/held-answers.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import {
  briefKinds,
  changeCauses,
  changeCounts,
  changeKinds,
  type ChangeCause,
  type ChangeKind,
} from '../statements/changes.ts'
import { toBetweenArgs } from './changes.ts'

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

const countSchema = z.object({
  kind: z.number(),
  dimension: z.enum(['all', 'cause', 'challenge', 'team']),
  /** Of `cause`: the causes. */
  ids: z.array(z.string()),
  n: z.coerce.number(),
})
type Counted = z.infer<typeof countSchema>

export async function readChangeCounts(reader: Reader, before: Scope, scope: Scope): Promise<ChangeCounts> {
  return readCounts(reader, before, scope, false)
}

async function readCounts(reader: Reader, before: Scope, scope: Scope, brief: boolean): Promise<ChangeCounts> {
  return toChangeCounts(await select(reader, changeCounts, { ...(await toBetweenArgs(reader, before, scope)), brief }))
}

export type BriefChangeCount = Pick<ChangeCount, 'n' | 'by_team'> & { kind: (typeof briefKinds)[number] }

/** The same numbers of `briefKinds`, much faster. */
export async function readBriefChanges(reader: Reader, before: Scope, scope: Scope): Promise<BriefChangeCount[]> {
  const { kinds } = await readCounts(reader, before, scope, true)
  return briefKinds.flatMap((kind) =>
    kinds.filter((each) => each.kind === kind).map(({ n, by_team }) => ({ kind, n, by_team })),
  )
}

function toChangeCounts(found: readonly unknown[]): ChangeCounts {
  const rows = countSchema.array().parse(found)
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const countOf = (own: readonly Counted[]) => own.find(({ dimension }) => dimension === 'all')?.n ?? 0
  return {
    total: countOf(byKind.get(changeKinds.length) ?? []),
    kinds: changeKinds.flatMap((kind, bit) => {
      const own = byKind.get(bit)
      return own === undefined ? [] : [{ kind, n: countOf(own), ...toDimensions(own) }]
    }),
  }
}

export type BriefChangesReader = (before: Scope, scope: Scope) => Promise<BriefChangeCount[]>

/**
 * The same, shared among readers who may see the same of the same two moments. The strip of the Overview asks at the moment of
 * an answer that is shared itself, so many readers make one statement. One at a time, because it is a large one.
 */
export function holdBriefChanges(
  read: BriefChangesReader,
  { audienceKey, ...options }: HeldAnswersOptions & { audienceKey?: () => string } = {},
): BriefChangesReader {
  const answers = createHeldAnswers<BriefChangeCount[]>({ readsAtOnce: 1, ...options })
  return (before, scope) => {
    // `now` moves at every question; only what `asOf` says goes into the answer.
    const filters = Object.entries(scope).filter(([key]) => key !== 'now')
    const sorted = filters.sort(([a], [b]) => (a < b ? -1 : 1))
    return answers.get(JSON.stringify([audienceKey?.() ?? '', before.asOf, sorted]), () => read(before, scope))
  }
}

function toDimensions(own: readonly Counted[]): Pick<ChangeCount, 'causes' | 'by_team' | 'by_challenge'> {
  const of = (wanted: Counted['dimension']) => own.filter(({ dimension }) => dimension === wanted)
  const sum = (rows: readonly Counted[]) => rows.reduce((total, { n }) => total + n, 0)
  const toGroups = (entries: readonly (readonly [string, Counted])[]) =>
    [...Map.groupBy(entries, ([id]) => id)]
      .map(([id, each]) => ({ id, n: sum(each.map(([, row]) => row)) }))
      .sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1))
  const byCause = changeCauses.map((cause) => [cause, sum(of('cause').filter(({ ids }) => ids.includes(cause)))])
  return {
    causes: Object.fromEntries(byCause) as ChangeCount['causes'],
    by_team: toGroups(
      of('team').flatMap((row) => (row.ids.length === 0 ? [''] : row.ids).map((id) => [id, row] as const)),
    ),
    by_challenge: toGroups(of('challenge').map((row) => [row.ids[0] ?? '', row] as const)),
  }
}
