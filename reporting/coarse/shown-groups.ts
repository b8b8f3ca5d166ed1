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
  const wholes = findWholes(sets)
  const close = { group: toCloseGroups(wholes, groups), challenge: new Set<string>() }
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
    groups: toShownKinds(toLarge(groups, close.group), sets, { groups, wholes, people: all.people }),
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
  // Nobody is not a secret; a few people are.
  return all.people === 0 || all.people >= fewestPeople ? all : null
}

function isFew(people: number): boolean {
  return people > 0 && people < fewestPeople
}

function toGroups(sets: readonly SizeRow[], everybody: number): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { ids, people, grades, graded, completed, waiting } of sets) {
    for (const key of ids) {
      let group = groups.get(key)
      if (group === undefined) groups.set(key, (group = { ...none, rest: everybody }))
      group.people += people
      group.grades += grades
      group.graded += graded
      group.completed += completed
      group.waiting += waiting
      group.rest -= people
    }
  }
  return groups
}

/** By group, the groups that all of its people are in, itself among them. One look at each person, however many groups there are. */
type Wholes = ReadonlyMap<string, readonly string[]>

function findWholes(sets: readonly SizeRow[]): Wholes {
  const wholes = new Map<string, readonly string[]>()
  for (const { ids } of sets) {
    for (const key of ids) {
      const others = wholes.get(key)
      if (others === undefined) wholes.set(key, ids)
      else if (others.length > 1) wholes.set(key, inBoth(others, ids))
    }
  }
  return wholes
}

/** Most people of a group are in all that it lies in, so nothing is copied for them. */
function inBoth(keys: readonly string[], ids: readonly string[]): readonly string[] {
  return keys.every((key) => ids.includes(key)) ? keys : keys.filter((key) => ids.includes(key))
}

/** Groups that lie in another one with just a few people more. */
function toCloseGroups(wholes: Wholes, groups: ReadonlyMap<string, Size>): Set<string> {
  const sizeOf = (key: string) => groups.get(key)?.people ?? 0
  const isClose = ([key, others]: [string, readonly string[]]) =>
    others.some((other) => isFew(sizeOf(other) - sizeOf(key)))
  return new Set([...wholes].filter(isClose).map(([key]) => key))
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
function hideSmallest<Of>(shown: Map<string, Of>, countRest: (shown: ReadonlyMap<string, Of>) => number): boolean {
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
  { groups, wholes, people }: { groups: ReadonlyMap<string, Size>; wholes: Wholes; people: number },
): ShownGroups['groups'] {
  const kinds = Map.groupBy(large, ([key]) => readGroupKey(key)[0])
  const shown = new Map([...kinds].map(([kind, lines]) => [kind, new Map(lines)]))
  const parts = new Map<string, string[]>()
  for (const key of large.keys()) {
    for (const whole of wholes.get(key) ?? []) {
      if (!large.has(whole) || readGroupKey(whole)[0] === readGroupKey(key)[0]) continue
      const others = parts.get(whole) ?? []
      parts.set(whole, others)
      others.push(key)
    }
  }
  const withParts = [...kinds.values()].flat().flatMap(([key]) => (parts.has(key) ? [key] : []))
  const groupsOfKind = Map.groupBy(groups, ([key]) => readGroupKey(key)[0])
  const everybody = new Map(
    [...kinds.keys()].map((kind) => [
      kind,
      kind === 'team' ? mergeKind(sets, kind) : toSets(groupsOfKind.get(kind) ?? [], people),
    ]),
  )
  const sizesOfParts = new Map(
    [...groupSets(sets, parts)].map(([whole, setsOfWhole]) => {
      const kindsOfParts = new Set((parts.get(whole) ?? []).map((key) => readGroupKey(key)[0]))
      return [whole, new Map([...kindsOfParts].map((kind) => [kind, mergeKind(setsOfWhole, kind)]))]
    }),
  )
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [kind, lines] of shown) {
      isChanged = hideSmallest(lines, (rest) => countWithout(everybody.get(kind), rest)) || isChanged
      for (const whole of withParts) {
        if (shown.get(readGroupKey(whole)[0])?.has(whole) !== true) continue
        const all = (parts.get(whole) ?? []).filter((key) => lines.has(key))
        const rest = new Map(all.map((key) => [key, true]))
        isChanged = hideSmallest(rest, (keys) => countWithout(sizesOfParts.get(whole)?.get(kind), keys)) || isChanged
        for (const key of all) if (!rest.has(key)) lines.delete(key)
      }
    }
  }
  return new Map(
    [...shown].map(([kind, lines]) => [kind, new Map([...lines].map(([key, size]) => [readGroupKey(key)[1], size]))]),
  )
}

/** The sets of people who are in each of these groups. */
function groupSets(sets: readonly SizeRow[], keys: ReadonlyMap<string, unknown>): Map<string, SizeRow[]> {
  const setsOf = new Map<string, SizeRow[]>([...keys.keys()].map((key) => [key, []]))
  for (const set of sets) for (const key of set.ids) setsOf.get(key)?.push(set)
  return setsOf
}

/** The groups of one kind that some people are in: of attributes one, of teams any. */
type KindSet = { keys: string[]; people: number }

/** Nobody has two values of an attribute, so its groups are its sets; and people without any. */
function toSets(groups: readonly (readonly [string, Size])[], everybody: number): KindSet[] {
  const sets = groups.map(([key, { people }]) => ({ keys: [key], people }))
  return [...sets, { keys: [], people: everybody - sets.reduce((sum, { people }) => sum + people, 0) }]
}

/** How many people a kind puts where: as few sets as it has values, however many people and other kinds there are. */
function mergeKind(sets: readonly SizeRow[], kind: GroupBy): KindSet[] {
  const prefix = toGroupKey(kind, '')
  const merged = new Map<string, KindSet>()
  for (const { ids, people } of sets) {
    const keys = ids.filter((key) => key.startsWith(prefix))
    const name = keys.length === 1 ? (keys[0] ?? '') : keys.join('\0')
    const entry = merged.get(name)
    if (entry === undefined) merged.set(name, { keys, people })
    else entry.people += people
  }
  return [...merged.values()]
}

/** People who are in none of these: a group that is left out may lie in those that are shown. */
function countWithout(sets: readonly KindSet[] | undefined, shown: ReadonlyMap<string, unknown>): number {
  return (sets ?? [])
    .filter(({ keys }) => !keys.some((key) => shown.has(key)))
    .reduce((sum, { people }) => sum + people, 0)
}

/** Assignments have one challenge, so those left out are at least the people of the largest challenge left out. */
function countWithoutChallenge(challenges: ReadonlyMap<string, Size>, shown: ReadonlyMap<string, Size>): number {
  return Math.max(0, ...[...challenges].filter(([id]) => !shown.has(id)).map(([, { people }]) => people))
}
