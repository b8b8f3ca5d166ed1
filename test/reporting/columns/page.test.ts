/** Pages of rows that are found in memory and read by key. */
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

test('finds one assignment by its whole id, and asks the store for no row', async () => {
  await using store = Object.assign(await openTestStore(), {
    async [Symbol.asyncDispose](): Promise<void> {
      await store.close()
    },
  })
  await storeBodies(
    store.writer,
    ['a1', 'a11', 'ä1'].map((id) => toBody('Created', id, monday + day)),
  )
  const scope = createScope(monday + 20 * day, { timeZone: 'UTC', dueZone: 'UTC' })
  const memory = createMemory(openSource(store.reader, store.streamer))
  const { asked, client } = listenTo(store.reader)
  const find = async (onlyAssignment: string) => {
    const request = { limit: 1, withTotal: true, onlyAssignment }
    const { rows, total } = await createQueries(ownReader(client, memory)).assignments(scope, request)
    return [rows.map(({ assignment_id }) => assignment_id), total]
  }
  expect(await Promise.all(['a1', 'a11', 'ä1', 'a', 'a12', ''].map(find))).toEqual([
    [['a1'], 1],
    [['a11'], 1],
    [['ä1'], 1],
    [[], 0],
    [[], 0],
    [[], 0],
  ])
  expect(asked.filter((name) => !['names', 'changes-of-people', 'row-people'].includes(name))).toEqual([])
})

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
  expect(asked.sort()).toEqual(['arrived', 'last_hour', 'names', 'positions'])
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

test('guides are asked for again when their rows or the day have changed, and after a change about people', async () => {
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
  const { asked, client } = listenTo(store.reader)
  const read = async (at: number, dueEnd: 'end_of_day' | 'instant' = 'end_of_day') => {
    const scope = createScope(at, { timeZone: 'UTC', dueZone: 'UTC', dueEnd })
    asked.length = 0
    const found = await createQueries(ownReader(client, memory)).guides(scope, [])
    const isAsked = asked.includes('guides')
    expect(found).toEqual(await createQueries(ownReader(store.reader)).guides(scope, []))
    return [
      found.metrics.assigned.value,
      found.metrics.overdue.value,
      found.by_team.map(({ team }) => team),
      isAsked,
    ]
  }
  expect(await read(now)).toEqual([1, 0, ['North'], true])
  expect(await read(now + 1_000)).toEqual([1, 0, ['North'], false])
  await giveGuide('two', now + 10 * day)
  expect(await read(now + 2_000)).toEqual([2, 0, ['North'], true])
  expect(await read(now + day)).toEqual([2, 1, ['North'], true])
  expect(await read(now + day + 1_000, 'instant')).toEqual([2, 1, ['North'], true])
  expect(await read(now + day + 1_000, 'instant')).toEqual([2, 1, ['North'], true])
  await teamOf('South', now + day)
  expect(await read(now + day + 2_000)).toEqual([2, 1, ['South'], true])
  expect(await read(now + day + 3_000)).toEqual([2, 1, ['South'], false])
  // Of the time before.
  expect(await read(now + 3_000)).toEqual([2, 0, ['North'], true])
  const ids = ['g10', 'g3', 'g8', 'g1', 'g6', 'g9', 'g2', 'g7', 'g5', 'g4']
  for (const guide_id of ids) {
    await insertRows(store.writer, 'guide_rows', [{ guide_id, observed_at: monday, title: 'Onboarding' }])
    const given = {
      assignment_id: `of ${guide_id}`,
      observed_at: monday,
      guide_id,
      user_id: '7',
      due_date: now,
    }
    await insertRows(store.writer, 'guide_assignment_rows', [given])
  }
  const { by_guide, options } = await createQueries(ownReader(store.reader)).guides(createScope(now), ids)
  // Of equal titles the order is that of ids, and not another one at each question.
  expect(by_guide.map(({ guide_id }) => guide_id)).toEqual(ids.toSorted())
  expect(options.guides.map(({ id }) => id)).toEqual(ids.toSorted())
})
