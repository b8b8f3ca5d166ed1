/**
 * Events of one person come by any partition, and pulls besides: several writers at once about the same people, each with
 * statements of its own between those of other writers, must leave what one alone would have left.
 *
 * More rounds: CONCURRENT_ROUNDS=100 npx vitest run test/consumer/concurrent-people.long.test.ts
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createAudit } from '../../services/jobs/audit/audit.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople, type PulledPerson } from '../../services/consumer/store/store-pulled-people.ts'
import { monday, toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { isComplete } from '../support/tiers.ts'

const rounds = Number(process.env.CONCURRENT_ROUNDS ?? (isComplete ? 6 : 2))
const users = ['1', '2', '3', '4']

const store = await openTestStore()
afterAll(() => store.close())

const ids = fc.option(fc.subarray(users), { nil: undefined })
const said = fc.record({
  userId: fc.constantFrom(...users),
  at: fc.integer({ min: 1, max: 8 }),
  isDeleted: fc.option(fc.boolean(), { nil: undefined }),
  teams: fc.option(fc.subarray(['a', 'b']), { nil: undefined }),
  managers: ids,
  directReports: ids,
})
type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never

const round = fc.record({
  first: fc.array(said, { minLength: 4, maxLength: 10 }),
  second: fc.array(said, { minLength: 4, maxLength: 10 }),
  pulled: fc.uniqueArray(said, {
    minLength: 1,
    maxLength: 5,
    selector: ({ userId, at }) => `${userId} ${at}`,
  }),
  batchSize: fc.integer({ min: 2, max: 5 }),
})

type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never

test(
  'several writers of the same people, who are killed, leave the tables of one writer after an audit',
  { timeout: 0 },
  async () => {
    let kills = 0
    let links = 0
    await fc.assert(
      fc.asyncProperty(round, async ({ first, second, pulled, batchSize }) => {
        const expected = await storeAlone({ first, second, pulled, batchSize })
        links += expected.links.length

        await store.clear()
        const untilDone = async (work: (client: ClickHouseClient) => Promise<void>) => {
          for (let lives = 8; ; lives--) {
            try {
              return await work(lives === 0 ? dawdling(store.writer) : mortal(dawdling(store.writer)))
            } catch (error) {
              if (!(error instanceof Killed)) throw error
              kills++
            }
          }
        }
        await Promise.all([
          untilDone((client) => consume(client, 0, first, batchSize)),
          untilDone((client) => consume(client, 1, second, batchSize)),
          untilDone((client) => pull(client, pulled)),
        ])
        const audit = createAudit({
          client: store.writer,
          people: createPeople(store.writer),
          exclusively: (use) => use(),
        })
        for (const share of await audit.shares()) await audit.mend(share, await audit.find(share))
        expect(await readPeople()).toEqual(expected)
      }),
      { numRuns: rounds, seed: 6, endOnFailure: true },
    )
    expect(kills).toBeGreaterThanOrEqual(rounds)
    expect(links).toBeGreaterThanOrEqual(rounds)
  },
)

class Killed extends Error {}

/** A client of a process that ends at one of its next calls, before or after the store has carried it out. */
function mortal(client: ClickHouseClient): ClickHouseClient {
  let left = 1 + Math.floor(Math.random() * 60)
  return new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (--left < 0) throw new Killed()
        const answer = (await value.apply(target, args)) as unknown
        if (left === 0) throw new Killed()
        return answer
      }
    },
  })
}

/** The tables that one writer leaves. */
async function storeAlone({ first, second, pulled, batchSize }: Round) {
  await store.clear()
  await consume(store.writer, 0, first, batchSize)
  await consume(store.writer, 1, second, batchSize)
  await pull(store.writer, pulled)
  return readPeople()
}

async function readPeople() {
  const signed = (table: string) =>
    store.rows(
      `SELECT * EXCEPT sign, sum(sign) AS n FROM rollcall.${table} GROUP BY ALL HAVING n != 0 ORDER BY ALL`,
    )
  return { users: await signed('user_versions'), links: await signed('link_versions') }
}

async function consume(
  client: ClickHouseClient,
  partition: number,
  all: Said[],
  batchSize: number,
): Promise<void> {
  const consumer = createConsumer({ client })
  let offset = await consumer.resumeFrom(partition)
  for (let start = 0; start < all.length; start += batchSize) {
    const bodies = all.slice(start, start + batchSize).map(toBody)
    await consumer.handle(
      toBatch(
        bodies.map((body) => toRecord(body, offset++)),
        partition,
      ),
    )
  }
}

async function pull(client: ClickHouseClient, all: Said[]): Promise<void> {
  const people = createPeople(client)
  for (const each of all) await storePulledPeople(client, people, [toPulledPerson(each)])
}

function toBody({ userId, at, isDeleted, teams, managers, directReports }: Said): Uint8Array {
  const toReferences = (list: string[] | undefined) => list?.map((id) => ({ id }))
  const user = {
    id: userId,
    isDeleted,
    groups: toReferences(teams),
    managers: toReferences(managers),
    directReports: toReferences(directReports),
  }
  return Buffer.from(JSON.stringify({ eventType: 'userUpdated', timestamp: monday + at, user }))
}

function toPulledPerson({ at, teams, ...person }: Said): PulledPerson {
  return {
    ...person,
    observedAtMs: monday + at,
    isPermanentlyDeleted: undefined,
    teams: teams?.map((id) => ({ id, name: undefined })),
    name: undefined,
    email: undefined,
  }
}

/** The store's own client, which takes a little time before each insert and look-up, never the same. */
function dawdling(client: ClickHouseClient): ClickHouseClient {
  return new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (typeof value !== 'function') return value
      if (property !== 'insert' && property !== 'query') return value.bind(target) as unknown
      return async (...args: unknown[]) => {
        await sleep(Math.random() * 8)
        return (await value.apply(target, args)) as unknown
      }
    },
  })
}
