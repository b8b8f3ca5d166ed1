/** Decides at each question whether its reader gets exact answers, or coarse ones, or none. */
import type { GroupBy } from '../columns/rankings.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { AudienceError } from '../audience.ts'
import { createHeldAnswers } from '../metrics/held-answers.ts'
import type { Counts } from '../metrics/to-metrics.ts'
import type { Overview, PageFrame } from '../metrics/overview.ts'
import type { Groups, Leaders } from '../statements/groups.ts'
import type { Found } from '../statements/search.ts'
import { toAttributeKey } from '../scope/filters.ts'
import { createScope } from '../scope/parse-scope.ts'
import { checkCoarseScope, countGroups } from './check-scope.ts'
import { readShownGroups } from './read-shown-groups.ts'
import { findSize, type ShownGroups, type Size } from './shown-groups.ts'
import { toCoarseCohort, toCoarseLine, toCoarseMetrics, toCoarseRow } from './to-coarse.ts'
import type { Reader } from '../read/reader.ts'

type Asked = {
  metrics(scope: Scope): Promise<MetricsAnswer>
  counts(scope: Scope): Promise<Counts>
  overview(scope: Scope, previous: Scope | null): Promise<Overview>
  search(text: string, at: Pick<Scope, 'asOf' | 'now'>, limit: number): Promise<Found[]>
  groups(scope: Scope, by: 'challenge' | GroupBy): Promise<Groups>
  frame(scope: Scope): Promise<PageFrame>
  leaders(scope: Scope, most: number): Promise<Leaders>
  lastStoredAt(): Promise<string>
  isSample(): Promise<boolean>
}

/** Any other question is refused to those who may not ask for single people. */
export function withCoarse<Queries extends Asked>(exact: Queries, reader: Reader, settings?: ScopeSettings): Queries {
  type Ask = (...args: never[]) => Promise<unknown>
  const coarse = createCoarse(exact, reader, settings)
  const entries = Object.entries(exact).map(([name, ask]: [string, Ask]) => [
    name,
    async (...args: never[]) => {
      if (reader.audience().persons) return ask(...args)
      if (!Object.hasOwn(coarse, name)) {
        throw new AudienceError('persons', 'Numbers of single people are not shown to you')
      }
      return (coarse[name as keyof Asked] as Ask)(...args)
    },
  ])
  return Object.fromEntries(entries) as Queries
}

function createCoarse(exact: Asked, reader: Reader, settings?: ScopeSettings): Asked {
  const answers = createHeldAnswers<ShownGroups>()

  function readGroups(scope: Scope): Promise<ShownGroups> {
    if (settings === undefined) throw new Error('Nobody has said which zones hold for everybody')
    checkCoarseScope(scope, settings)
    return answers.get(scope.asOf === scope.now ? 'now' : String(scope.asOf), () => readShownGroups(reader, scope))
  }

  async function readSize(scope: Scope): Promise<Size> {
    return toSize(scope, await readGroups(scope))
  }

  const toCoarseAnswer = (answer: MetricsAnswer, size: Size): MetricsAnswer => ({
    ...answer,
    metrics: toCoarseMetrics(answer.metrics, size),
  })

  async function readMetrics(scope: Scope): Promise<MetricsAnswer> {
    const size = await readSize(scope)
    return toCoarseAnswer(await exact.metrics(scope), size)
  }

  return {
    metrics: readMetrics,
    counts: async (scope) => (await readMetrics(scope)).metrics,

    async overview(scope, previous) {
      const groups = await readGroups(scope)
      const size = toSize(scope, groups)
      // A group may have been too small then: there is no comparison.
      const sizeBefore = previous && findSize(previous, await readGroups(previous))
      const overview = await exact.overview(scope, sizeBefore ? previous : null)
      // Within a team, the line of a challenge would be both.
      const isAll = countGroups(scope) === 0
      return {
        ...overview,
        answer: toCoarseAnswer(overview.answer, size),
        previous: overview.previous &&
          sizeBefore && { ...overview.previous, metrics: toCoarseMetrics(overview.previous.metrics, sizeBefore) },
        due_cohorts: overview.due_cohorts.map(toCoarseCohort),
        by_challenge: isAll ? overview.by_challenge.filter(({ id }) => groups.challenge.has(id)).map(toCoarseRow) : [],
        by_team: isAll ? overview.by_team.filter(({ id }) => hasGroup(groups, 'team', id)).map(toCoarseRow) : [],
        options: toCoarseOptions(overview.options, groups),
      }
    },

    /** Every hit can be opened. */
    async search(text, at, limit) {
      if (settings === undefined) return []
      const groups = await readGroups({ ...createScope(at.now, settings), asOf: at.asOf })
      const hits = await exact.search(text, at, limit)
      return hits.filter(({ kind, id }) => kind !== 'person' && hasGroup(groups, kind, id))
    },

    async groups(scope, by) {
      const groups = await readGroups(scope)
      if (countGroups(scope) > 0)
        throw new AudienceError('scope', 'Lines are of everybody: within a team or another group, a line would be both')
      toSize(scope, groups)
      const { lines, whole } = await exact.groups(scope, by)
      const shown = lines.flatMap((row) => {
        const size = findGroup(groups, by, row.id)
        return size === undefined ? [] : [toCoarseLine(row, size)]
      })
      return { lines: shown, whole: toCoarseRow(whole) }
    },

    async frame(scope) {
      const groups = await readGroups(scope)
      const frame = await exact.frame(scope)
      return { ...frame, options: toCoarseOptions(frame.options, groups) }
    },

    leaders: (scope, most) => exact.leaders(scope, most),
    lastStoredAt: () => exact.lastStoredAt(),
    isSample: () => exact.isSample(),
  }
}

function findGroup(groups: ShownGroups, kind: 'challenge' | GroupBy, id: string): Size | undefined {
  return (kind === 'challenge' ? groups.challenge : groups.groups.get(kind))?.get(id)
}

function hasGroup(groups: ShownGroups, kind: 'challenge' | GroupBy, id: string): boolean {
  return findGroup(groups, kind, id) !== undefined
}

function toCoarseOptions(
  { challenges, teams, attributes }: Overview['options'],
  groups: ShownGroups,
): Overview['options'] {
  return {
    challenges: challenges.filter(({ id }) => hasGroup(groups, 'challenge', id)),
    teams: teams.filter(({ id }) => hasGroup(groups, 'team', id)),
    people: [],
    attributes: attributes.map(({ name, values }) => ({
      name,
      values: values.filter(({ id }) => hasGroup(groups, toAttributeKey(name), id)),
    })),
  }
}

function toSize(scope: Scope, groups: ShownGroups): Size {
  const size = findSize(scope, groups)
  if (size !== null) return size
  throw new AudienceError(
    'too_few_people',
    'Numbers are shown if both the group and everybody else are at least five people',
  )
}
