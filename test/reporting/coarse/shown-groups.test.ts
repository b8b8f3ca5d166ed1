import { expect, test } from 'vitest'
import { toGroupKey, toShownGroups, type SizeRow } from '../../../reporting/coarse/shown-groups.ts'

type Person = { teams: string[]; challenges: string[]; country?: string; site?: string }

const people = (
  n: number,
  teams: string[],
  challenges: string[],
  attributes: Omit<Person, 'teams' | 'challenges'> = {},
) => Array.from({ length: n }, (): Person => ({ teams, challenges, ...attributes }))

/** As `group-people.sql` counts them. */
function toRows(all: Person[]): SizeRow[] {
  const rows = new Map<string, SizeRow>()
  const add = (kind: SizeRow['kind'], ids: string[], isOnly = false) => {
    const key = JSON.stringify([kind, ids])
    const row = rows.get(key) ?? { kind, ids, people: 0, only: 0, grades: 0, graded: 0, completed: 0, waiting: 0 }
    rows.set(key, { ...row, people: row.people + 1, only: row.only + Number(isOnly) })
  }
  for (const { teams, challenges, country, site } of all) {
    const isOnly = challenges.length === 1
    const keys = [
      ...(teams.length === 0 ? [''] : teams).map((team) => toGroupKey('team', team)),
      ...(country === undefined ? [] : [toGroupKey('attribute.country', country)]),
      ...(site === undefined ? [] : [toGroupKey('attribute.site', site)]),
    ]
    add('all', [])
    add('groups', keys)
    for (const challenge of challenges) {
      add('challenge', [challenge], isOnly)
      for (const key of keys) add('both', [key, challenge], isOnly)
    }
  }
  return [...rows.values()]
}

function shown(all: Person[]): { teams: string[]; challenges: string[] } {
  const { groups, challenge } = toShownGroups(toRows(all))
  return { teams: [...(groups.get('team')?.keys() ?? [])].sort(), challenges: [...challenge.keys()].sort() }
}

function shownValues(all: Person[]): { teams: string[]; countries: string[]; sites: string[] } {
  const { groups } = toShownGroups(toRows(all))
  const of = (kind: 'attribute.country' | 'attribute.site') => [...(groups.get(kind)?.keys() ?? [])].sort()
  return { teams: shown(all).teams, countries: of('attribute.country'), sites: of('attribute.site') }
}

test('shows groups of which both they and the rest have five people', () => {
  const all = [...people(5, ['a'], ['c1', 'c2']), ...people(6, ['b'], ['c1', 'c2'])]
  expect(shown(all)).toEqual({ teams: ['a', 'b'], challenges: ['c1', 'c2'] })
  expect(shown(people(9, ['a'], ['c1']))).toEqual({ teams: [], challenges: [] })
})

test('leaves out the smallest large group where only small ones are left out', () => {
  const all = [...people(7, ['a'], ['c1']), ...people(6, ['b'], ['c2']), ...people(2, ['e'], ['c3'])]
  expect(shown(all)).toEqual({ teams: ['a'], challenges: ['c1'] })
})

test('leaves out the smallest team where just a few people are in none of the others, though a larger one is left out', () => {
  const all = [
    ...people(6, ['a', 'b'], ['c1', 'c2']),
    ...people(2, ['a'], ['c1', 'c2']),
    ...people(9, ['c'], ['c1', 'c2']),
    ...people(3, ['d'], ['c1', 'c2']),
  ]
  // b lies in a. All less a and c would be d.
  expect(shown(all).teams).toEqual(['c'])
})

test('leaves out a challenge that just a few people have something besides', () => {
  const all = [...people(20, [], ['c1']), ...people(3, [], ['c1', 'c2'])]
  // All but the first challenge is the second, of three people.
  expect(shown(all).challenges).toEqual([])
})

test('leaves out a team in another one that has a few people more', () => {
  const all = [
    ...people(8, ['a', 'b'], ['c1', 'c2']),
    ...people(2, ['a'], ['c1', 'c2']),
    ...people(9, [], ['c1', 'c2']),
  ]
  expect(shown(all).teams).toEqual(['', 'a'])
})

test('leaves out a team whose people all have one challenge that a few others have, too', () => {
  const all = [...people(8, ['a'], ['c1']), ...people(2, ['b'], ['c1']), ...people(9, ['b'], ['c2'])]
  expect(shown(all)).toEqual({ teams: ['b'], challenges: ['c1'] })
})

test('leaves out a challenge of a team in which a few people have another one, too', () => {
  const all = [...people(8, ['a'], ['c1']), ...people(2, ['a'], ['c1', 'c2']), ...people(9, ['b'], ['c2'])]
  expect(shown(all)).toEqual({ teams: ['a'], challenges: ['c2'] })
})

test('shows values of attributes by the same rule, and no value as a group of its own', () => {
  const all = [
    ...people(7, [], ['c1', 'c2'], { country: 'DE' }),
    ...people(6, [], ['c1', 'c2'], { country: '' }),
    ...people(5, [], ['c1', 'c2'], { country: 'FR' }),
  ]
  expect(shownValues(all).countries).toEqual(['', 'DE', 'FR'])
  // All less DE and no value would be FR.
  expect(shownValues(all.slice(0, -1)).countries).toEqual(['DE'])
})

test('leaves out a team in a country, and a country in a team, that has a few people more', () => {
  const others = people(9, ['z'], ['c1', 'c2'], { country: 'FR' })
  const inCountry = [
    ...people(8, ['a'], ['c1', 'c2'], { country: 'DE' }),
    ...people(2, ['b'], ['c1', 'c2'], { country: 'DE' }),
    ...people(6, ['b'], ['c1', 'c2'], { country: 'FR' }),
  ]
  expect(shownValues([...inCountry, ...others])).toMatchObject({ countries: ['DE', 'FR'], teams: ['b', 'z'] })
  const inTeam = [
    ...people(8, ['a'], ['c1', 'c2'], { country: 'DE' }),
    ...people(2, ['a'], ['c1', 'c2'], { country: 'FR' }),
  ]
  // DE lies in the team a, which has two people more.
  expect(shownValues([...inTeam, ...others])).toMatchObject({ countries: ['FR'] })
})

test('leaves out the smallest site of a country where a few people of it are in none of the others', () => {
  const of = (n: number, site: string, country: string) => people(n, [], ['c1', 'c2'], { site, country })
  const all = [...of(9, 'Köln', 'DE'), ...of(6, 'Berlin', 'DE'), ...of(3, 'Bonn', 'DE'), ...of(9, 'Lyon', 'FR')]
  // All less the others would be the sites left out; DE less Köln and Berlin would be Bonn.
  expect(shownValues(all)).toEqual({ teams: [], countries: ['DE', 'FR'], sites: ['Köln', 'Lyon'] })
  const two = [...all, ...of(4, 'Nizza', 'FR')]
  // Seven people are in no large site; within each country they are few.
  expect(shownValues(two).sites).toEqual(['Köln'])
})
