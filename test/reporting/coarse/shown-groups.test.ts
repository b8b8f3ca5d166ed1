import { expect, test } from 'vitest'
import { toShownGroups, type SizeRow } from '../../../reporting/coarse/shown-groups.ts'

type Person = { teams: string[]; challenges: string[] }

const people = (n: number, teams: string[], challenges: string[]): Person[] =>
  Array.from({ length: n }, () => ({ teams, challenges }))

/** As `group-people.sql` counts them. */
function toRows(all: Person[]): SizeRow[] {
  const rows = new Map<string, SizeRow>()
  const add = (kind: SizeRow['kind'], ids: string[], isOnly = false) => {
    const key = JSON.stringify([kind, ids])
    const row = rows.get(key) ?? { kind, ids, people: 0, only: 0, grades: 0, graded: 0, completed: 0, waiting: 0 }
    rows.set(key, { ...row, people: row.people + 1, only: row.only + Number(isOnly) })
  }
  for (const { teams, challenges } of all) {
    const isOnly = challenges.length === 1
    add('all', [])
    add('teams', teams)
    for (const challenge of challenges) {
      add('challenge', [challenge], isOnly)
      for (const team of teams.length === 0 ? [''] : teams) add('both', [team, challenge], isOnly)
    }
  }
  return [...rows.values()]
}

function shown(all: Person[]): { teams: string[]; challenges: string[] } {
  const { team, challenge } = toShownGroups(toRows(all))
  return { teams: [...team.keys()].sort(), challenges: [...challenge.keys()].sort() }
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
