/** People of a moment are held for the moments at which they are the same: never for another one, and not after a change. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ids } from '../../../reporting/columns/columns.ts'
import type { Block, Texts } from '../../../reporting/columns/native.ts'
import { active, left, noVersion, People } from '../../../reporting/columns/people.ts'

const instant = fc.integer({ min: 0, max: 6 })
const version = fc.record({
  user: fc.constantFrom('a', 'b', 'c'),
  from: instant,
  to: instant,
  isActive: fc.boolean(),
  teams: fc.constantFrom([], ['red'], ['red', 'blue']),
  teamsSeenAt: instant,
  attributes: fc.constantFrom({}, { site: 'north' }),
  attributesSeenAt: instant,
})
type Version = typeof version extends fc.Arbitrary<infer Of> ? Of : never

function toTexts(values: readonly string[]): Texts {
  const bytes = values.map((value) => Buffer.from(value))
  const ends = Uint32Array.from(bytes, (_, index) => Buffer.concat(bytes.slice(0, index + 1)).length)
  return { bytes: Buffer.concat(bytes), starts: ends.map((end, index) => end - bytes[index]!.length), ends }
}

function toBlock(versions: readonly Version[], firstHash: number): Block {
  const of = (value: (each: Version) => number) => Float64Array.from(versions, value)
  const texts = (value: (each: Version) => unknown) => toTexts(versions.map((each) => JSON.stringify(value(each))))
  const columns = [
    toTexts(versions.map(({ user }) => user)),
    of(({ from }) => from),
    of(({ to }) => to),
    Uint8Array.from(versions, ({ isActive }) => Number(isActive)),
    texts(({ teams }) => teams),
    of(({ teamsSeenAt }) => teamsSeenAt),
    texts(({ attributes }) => attributes),
    of(({ attributesSeenAt }) => attributesSeenAt),
    Uint32Array.from({ length: 2 * versions.length }, (_, half) => firstHash + half),
    new Int8Array(versions.length).fill(1),
    new Uint32Array(versions.length).fill(1),
  ]
  return { rows: versions.length, columns }
}

/** By the rule, without anything held. */
function read(versions: readonly Version[], users: Ids, moment: { asOf: number; now: number }) {
  const latest = Math.max(moment.asOf, moment.now)
  return users.names.map((user) => {
    const of = versions.findLast((each) => each.user === user && each.from <= moment.asOf && each.to > moment.asOf)
    if (of === undefined) return [noVersion, [], []]
    const teams = of.teamsSeenAt <= latest ? of.teams : []
    const attributes = of.attributesSeenAt <= latest ? Object.entries(of.attributes) : []
    return [of.isActive ? active : left, teams, attributes]
  })
}

test('people of a moment are those of the rule, whatever moments were asked before', async () => {
  const moments = fc.array(fc.record({ asOf: instant, now: instant }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(version), fc.array(version), moments, async (first, later, asked) => {
      const users = new Ids()
      const people = new People(users)
      const all: Version[] = []
      const isOfRule = () => {
        for (const moment of asked) {
          const { states, teams, attributes } = people.at(moment)
          const found = users.names.map((_, user) => [
            states[user],
            people.teams.values[teams[user]!],
            [...(people.attributes.values[attributes[user]!] ?? [])],
          ])
          expect(found).toEqual(read(all, users, moment))
        }
      }
      for (const added of [first, later]) {
        await people.apply(toBlock(added, 1_000 * all.length))
        all.push(...added)
        isOfRule()
      }
      users.of('somebody without a version')
      isOfRule()
    }),
  )
})
