/** What a page asks the store for while its answers are held. */
import type { ClickHouseClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { createMemory, type FollowedMemory } from '../../../reporting/columns/follow.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import { readSilence } from '../../../reporting/queries/health.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { readStanding } from '../../../reporting/statements/standing.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { insertRows } from '../../../services/clickhouse/insert-rows.ts'
import { openTestStore } from '../../support/store/store.ts'

/** A client, and the names of the statements that it was asked. */
function listenTo(reader: ClickHouseClient) {
  const asked: string[] = []
  const client = new Proxy(reader, {
    get(target, property, receiver) {
      if (property !== 'query') return Reflect.get(target, property, receiver) as unknown
      return async (params: Parameters<ClickHouseClient['query']>[0]) => {
        asked.push(/^-- name: (\S+)/.exec(params.query)?.[1] ?? '')
        return target.query(params)
      }
    },
  })
  return { asked, client }
}

test('after new events a page asks again only for what they change', async () => {
  await using store = Object.assign(await openTestStore(), {
    async [Symbol.asyncDispose](): Promise<void> {
      await store.close()
    },
  })
  const deliver = (...ids: string[]) =>
    storeBodies(
      store.writer,
      ids.map((id) => toBody('Created', id, monday + day, toTimes(id), { id: 7 })),
    )
  const toTimes = (id: string) => ({ createdAt: monday + Number(id.slice(1)) })
  await deliver('a1')
  /** When the last event had just come. */
  const now = monday + 30 * day + 60_000
  const scope = createScope(now, { timeZone: 'UTC', dueZone: 'UTC' })
  const { asked, client } = listenTo(store.reader)
  const memory = createMemory(openSource(store.reader, store.streamer))
  const read = async (own?: FollowedMemory) => {
    const reader = ownReader(client, own)
    const queries = createQueries(reader)
    const rows = await queries.assignments(scope, { limit: 1, withTotal: true })
    const learners = await queries.learners(scope, await queries.learnerCounts(scope), {
      offset: 0,
      limit: 9,
    })
    const frame = await queries.frame(scope)
    const standing = await readStanding(reader)
    return { rows, learners, frame, standing, silence: await readSilence(reader, { now, timeZone: 'UTC' }) }
  }
  await read(memory)
  await deliver('a2', 'a3')
  await read(memory)
  asked.length = 0
  await read(memory)
  expect(asked).toEqual([])
  await deliver('a4')
  const found = await read(memory)
  expect(asked.sort()).toEqual(['arrived', 'names', 'positions', 'recent'])
  expect(found).toEqual(await read())
  expect([found.rows.total, found.silence.kind]).toEqual([4, 'arriving'])
  asked.length = 0
  expect(await readSilence(ownReader(client, memory), { now: now + 600_000, timeZone: 'UTC' })).toMatchObject(
    {
      kind: 'too_little_history',
    },
  )
  expect(asked).toEqual(['silence'])
})

test('held guides are those of the store, after a change of their rows, of the day and of people', async () => {
  await using store = Object.assign(await openTestStore(), {
    async [Symbol.asyncDispose](): Promise<void> {
      await store.close()
    },
  })
  const now = monday + 10 * day
  const teamOf = (name: string, at: number) =>
    storeBodies(store.writer, [toBody('Created', name, at, {}, { id: 7, groups: [{ id: name, name }] })])
  const giveGuide = (assignment_id: string, due_date: number) =>
    insertRows(store.writer, 'guide_assignment_rows', [
      { assignment_id, observed_at: monday, guide_id: 'g', user_id: '7', due_date },
    ])
  await teamOf('North', monday)
  await giveGuide('one', now)
  const memory = createMemory(openSource(store.reader, store.streamer))
  const read = async (at: number, dueEnd: 'end_of_day' | 'instant' = 'end_of_day') => {
    const scope = createScope(at, { timeZone: 'UTC', dueZone: 'UTC', dueEnd })
    const { metrics, by_team } = await createQueries(ownReader(store.reader, memory)).guides(scope, [])
    return [metrics.assigned.value, metrics.overdue.value, by_team.map(({ team }) => team)]
  }
  expect(await read(now)).toEqual([1, 0, ['North']])
  await giveGuide('two', now + 10 * day)
  expect(await read(now + 2_000)).toEqual([2, 0, ['North']])
  expect(await read(now + 2_000, 'instant')).toEqual([2, 1, ['North']])
  expect(await read(now + day)).toEqual([2, 1, ['North']])
  await teamOf('South', now + day)
  expect(await read(now + day + 2_000)).toEqual([2, 1, ['South']])
  // Of the time before.
  expect(await read(now + 3_000)).toEqual([2, 0, ['North']])
})
