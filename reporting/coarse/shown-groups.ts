/** Which teams, values of attributes and challenges are large enough to be shown to readers who may not ask for single people. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { fewestPeople } from '../audience.ts'
import type { GroupBy } from '../columns/rankings.ts'
import { toAttributeKey } from '../scope/filters.ts'

/** How many people a group has, and how many of them give it each kind of number. */
export type Size = { people: number; grades: number; graded: number; completed: number; waiting: number }

/** `only`: how many of the people have nothing besides this challenge. */
export type SizeRow = Size & {
  kind: 'all' | 'challenge' | 'groups' | 'both'
  /** A challenge; the keys of all groups that some people are in; or the key of a group, and a challenge. */
  ids: string[]
  only: number
}

export type ShownGroups = {
  all: Size
  challenge: ReadonlyMap<string, Size>
  /** Groups of people by kind and id: teams, and values of attributes. No team and no value are the empty id. */
  groups: ReadonlyMap<GroupBy, ReadonlyMap<string, Size>>
}

type Group = Size & { rest: number }

const none: Size = { people: 0, grades: 0, graded: 0, completed: 0, waiting: 0 }

export const toGroupKey = (kind: GroupBy, id: string): string => `${kind}=${id}`

/** No kind has an equals sign. */
function readGroupKey(key: string): [kind: GroupBy, id: string] {
  const at = key.indexOf('=')
  return [key.slice(0, at) as GroupBy, key.slice(at + 1)]
}

/**
 * A group is shown if it and the rest of everybody have at least five people each. It is not shown if it lies in another group that has
 * just a few people more: the one less the other would be these. Rest and difference are those of assignments: somebody with two
 * challenges is in the rest of each.
 */
export function toShownGroups(rows: readonly SizeRow[]): ShownGroups {
  const all = rows.find(({ kind }) => kind === 'all') ?? none
  const sets = rows.filter(({ kind }) => kind === 'groups')
  const challenges = new Map<string, Group>()
  for (const row of rows) {
    if (row.kind === 'challenge') challenges.set(row.ids[0] ?? '', { ...row, rest: all.people - row.only })
  }
  const groups = toGroups(sets, all.people)
  const shared = toShared(sets)
  const close = { group: toCloseGroups(shared, groups), challenge: new Set<string>() }
  for (const { kind, ids, people, only } of rows) {
    if (kind !== 'both') continue
    const [key = '', challengeId = ''] = ids
    const [group, challenge] = [groups.get(key) ?? none, challenges.get(challengeId) ?? none]
    if (only === group.people && isFew(challenge.people - people)) close.group.add(key)
    if (people === challenge.people && isFew(group.people - only)) close.challenge.add(challengeId)
  }
  const shownChallenges = toLarge(challenges, close.challenge)
  hideSmallest(shownChallenges, (shown) => countWithoutChallenge(challenges, shown))
  return {
    all,
    challenge: shownChallenges,
    groups: toShownKinds(toLarge(groups, close.group), sets, shared),
  }
}

/** `null`: the people of a scope are too few. */
export function findSize(
  { team: [team], challenge: [challenge], attribute: [of] }: Scope,
  shown: ShownGroups,
): Size | null {
  const { all } = shown
  if (team !== undefined) return shown.groups.get('team')?.get(team) ?? null
  if (challenge !== undefined) return shown.challenge.get(challenge) ?? null
  if (of !== undefined) return shown.groups.get(toAttributeKey(of[0]))?.get(of[1][0] ?? '') ?? null
  // Nobody is no secret; a few people are.
  return all.people === 0 || all.people >= fewestPeople ? all : null
}

function isFew(people: number): boolean {
  return people > 0 && people < fewestPeople
}

function toGroups(sets: readonly SizeRow[], everybody: number): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { ids, ...size } of sets) {
    for (const key of ids) {
      const { people, grades, graded, completed, waiting } = groups.get(key) ?? none
      groups.set(key, {
        people: people + size.people,
        grades: grades + size.grades,
        graded: graded + size.graded,
        completed: completed + size.completed,
        waiting: waiting + size.waiting,
        rest: everybody - people - size.people,
      })
    }
  }
  return groups
}

/** How many people each two groups share. */
type Shared = ReadonlyMap<string, ReadonlyMap<string, number>>

function toShared(sets: readonly SizeRow[]): Shared {
  const shared = new Map<string, Map<string, number>>()
  for (const { ids, people } of sets) {
    for (const key of ids) {
      const others = shared.get(key) ?? new Map<string, number>()
      shared.set(key, others)
      for (const other of ids) others.set(other, (others.get(other) ?? 0) + people)
    }
  }
  return shared
}

/** Groups that lie in another one with just a few people more. */
function toCloseGroups(shared: Shared, groups: ReadonlyMap<string, Size>): Set<string> {
  const sizeOf = (key: string) => groups.get(key)?.people ?? 0
  const isClose = ([key, others]: [string, ReadonlyMap<string, number>]) =>
    [...others].some(([other, people]) => people === sizeOf(key) && isFew(sizeOf(other) - people))
  return new Set([...shared].filter(isClose).map(([key]) => key))
}

/** The smallest first. */
function toLarge(groups: ReadonlyMap<string, Group>, close: ReadonlySet<string>): Map<string, Size> {
  const large = [...groups].filter(
    ([key, { people, rest }]) => people >= fewestPeople && rest >= fewestPeople && !close.has(key),
  )
  return new Map(large.toSorted(([, a], [, b]) => a.people - b.people))
}

/**
 * The total less all that is shown would be the rest: where these are few, the smallest of the shown goes as well, until they are not.
 * `countRest`: how many people are in no shown group, or fewer. Answers whether one went.
 */
function hideSmallest<Key>(shown: Map<Key, Size>, countRest: (shown: ReadonlyMap<Key, Size>) => number): boolean {
  const before = shown.size
  for (const key of shown.keys()) {
    if (!isFew(countRest(shown))) break
    shown.delete(key)
  }
  return shown.size < before
}

/**
 * By kind. Attributes nest, as sites do in countries: so a group less all lines of another kind that lie in it is held to the same. Of
 * teams this has not been promised where there are no attributes.
 */
function toShownKinds(
  large: ReadonlyMap<string, Size>,
  sets: readonly SizeRow[],
  shared: Shared,
): ShownGroups['groups'] {
  const kinds = Map.groupBy(large, ([key]) => readGroupKey(key)[0])
  const shown = new Map([...kinds].map(([kind, lines]) => [kind, new Map(lines)]))
  const setsOf = Map.groupBy(
    sets.flatMap((set) => set.ids.map((key) => ({ key, set }))),
    ({ key }) => key,
  )
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [kind, lines] of shown) {
      isChanged = hideSmallest(lines, (left) => countWithout(sets, left)) || isChanged
      for (const whole of [...shown].flatMap(([other, others]) => (other === kind ? [] : [...others.keys()]))) {
        const own = (setsOf.get(whole) ?? []).map(({ set }) => set)
        const isPart = ([key, { people }]: [string, Size]) => shared.get(whole)?.get(key) === people
        const parts = new Map([...lines].filter(isPart))
        const all = [...parts.keys()]
        isChanged = hideSmallest(parts, (left) => countWithout(own, left)) || isChanged
        for (const key of all) if (!parts.has(key)) lines.delete(key)
      }
    }
  }
  return new Map(
    [...shown].map(([kind, lines]) => [kind, new Map([...lines].map(([key, size]) => [readGroupKey(key)[1], size]))]),
  )
}

/** People who are in none of these: a group that is left out may lie in those that are shown. */
function countWithout(sets: readonly SizeRow[], shown: ReadonlyMap<string, Size>): number {
  return sets.filter(({ ids }) => !ids.some((key) => shown.has(key))).reduce((sum, { people }) => sum + people, 0)
}

/** Assignments have one challenge, so those left out are at least the people of the largest challenge left out. */
function countWithoutChallenge(challenges: ReadonlyMap<string, Size>, shown: ReadonlyMap<string, Size>): number {
  return Math.max(0, ...[...challenges].filter(([id]) => !shown.has(id)).map(([, { people }]) => people))
}
