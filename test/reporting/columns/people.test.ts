/** People of a moment are held for the moments at which they are the same: never for another one, and not after a change. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ids } from '../../../reporting/columns/columns.ts'
import type { Block, Texts } from '../../../reporting/columns/native.ts'
import type { Memory } from '../../../reporting/columns/memory.ts'
import { active, left, noVersion, People } from '../../../reporting/columns/people.ts'
import { findFitting } from '../../../reporting/columns/select.ts'
import { whereOf } from '../../../reporting/scope/filters.ts'
import { createScope } from '../../model/scope.ts'

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
  const texts = (value: (each: Version) => unknown) =>
    toTexts(versions.map((each) => JSON.stringify(value(each))))
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
  ]
  return { rows: versions.length, columns }
}

/** By the rule, without anything held. */
function read(versions: readonly Version[], users: Ids, moment: { asOf: number; now: number }) {
  const latest = Math.max(moment.asOf, moment.now)
  return users.names.map((user) => {
    const of = versions.findLast(
      (each) => each.user === user && each.from <= moment.asOf && each.to > moment.asOf,
    )
    if (of === undefined) return [noVersion, [], []]
    const teams = of.teamsSeenAt <= latest ? of.teams : []
    const attributes = of.attributesSeenAt <= latest ? Object.entries(of.attributes) : []
    return [of.isActive ? active : left, teams, attributes]
  })
}

test('who is held is the sum of the signs, in whatever order and however often a version is written and taken back', async () => {
  const [of] = fc.sample(version, { numRuns: 1, seed: 1 })
  const known = (['a', 'b', 'c'] as const).map((user) => ({ ...of!, user, from: 0, to: 6 }))
  const change = fc.record({ user: fc.nat({ max: 2 }), sign: fc.constantFrom(1, -1) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 5 }), async (blocks) => {
      const users = new Ids()
      for (const { user } of known) users.of(user)
      const people = new People(users)
      const signs = [0, 0, 0]
      for (const block of blocks) {
        const { rows, columns } = toBlock(
          block.map(({ user }) => known[user]!),
          0,
        )
        const hashes = Uint32Array.from(block.flatMap(({ user }) => [user, 0]))
        const signed = columns.with(8, hashes).with(
          9,
          Int8Array.from(block, ({ sign }) => sign),
        )
        await people.apply([{ rows, columns: signed }])
        for (const { user, sign } of block) signs[user]! += sign
        const areKnown = [...people.at({ asOf: 3, now: 6 }).states].map((state) => state !== noVersion)
        expect(areKnown).toEqual(signs.map((sum) => sum > 0))
      }
      // Their buckets are their hashes, because these are small.
      expect(Array.from((await people.sumBuckets()).slice(0, 6))).toEqual([
        0,
        0,
        signs[1]! >>> 0,
        0,
        (2 * signs[2]!) >>> 0,
        0,
      ])
      await people.removeBuckets(new Uint8Array(16_384).fill(1))
      expect([people.size, people.sum]).toEqual([0, [0, 0]])
    }),
    { seed: 2 },
  )
})

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
        await people.apply([toBlock(added, 1_000 * all.length)])
        all.push(...added)
        isOfRule()
      }
      users.of('somebody without a version')
      isOfRule()
    }),
    { seed: 3 },
  )
})

const question = fc.record({
  team: fc.subarray(['red', 'blue']),
  attribute: fc.constantFrom<[name: string, values: string[]][]>(
    [],
    [['site', ['north']]],
    [['site', ['south']]],
  ),
  includeLeavers: fc.boolean(),
  user: fc.subarray(['a']),
  manager: fc.subarray(['m']),
  under: fc.subarray(['a', 'b']),
  seenIds: fc.option(fc.subarray(['b', 'c'])),
})

test('the people whom a question asks for are the same, whatever was asked before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(version, { minLength: 6 }),
      question,
      question,
      async (versions, first, other) => {
        const create = async () => {
          const users = new Ids()
          const people = new People(users)
          await people.apply([toBlock(versions, 0)])
          return { users, challenges: new Ids(), people } as Memory
        }
        const held = await create()
        const keys = Object.keys(first) as (keyof typeof first)[]
        for (const asked of [first, ...keys.map((key) => ({ ...first, [key]: other[key] }))]) {
          const { under, seenIds, ...filters } = asked
          const scope = { ...createScope(3, { timeZone: 'UTC', dueZone: 'UTC' }), ...filters }
          const find = (memory: Memory) => findFitting(memory, { scope, under, seenIds }, whereOf(scope))
          expect(find(held)).toEqual(find(await create()))
        }
      },
    ),
    { numRuns: 300, seed: 4 },
  )
})
