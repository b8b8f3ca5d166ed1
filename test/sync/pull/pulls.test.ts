import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { systemClock } from '../../../services/platform/clock.ts'
import { type Platform } from '../../../sample-platform/start.ts'
import { toBatch, toBody, toRecord } from '../../support/data/records.ts'
import { openTestStore } from '../../support/store/store.ts'
import { openPlatforms } from './installation.ts'
import { serveAnswers } from '../../platform/answers.ts'
import { isLong } from '../../support/tiers.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 7, 3, 12)

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const { start, open } = openPlatforms(store, { seed: 'pull', from, to, people: 60 })

describe('pulled users', () => {
  test('say who has left, who is called what, and who reports to whom', async () => {
    const platform = await start()
    const { jobs } = open(platform.baseUrl, { pageSize: 25 })
    const progress: number[] = []
    const result = await jobs.run('users', { onProgress: ({ done }) => void progress.push(done) })
    const everyone = platform.life.population.people
    expect(result).toMatchObject({ outcome: 'succeeded', done: everyone.length, skipped: 0, resumed: false })
    expect(progress.slice(0, 2)).toEqual([25, 50])
    expect(await store.rows('SELECT user_id, active FROM rollcall.users ORDER BY toUInt64(user_id)')).toEqual(
      everyone.map(({ id, isDeleted }) => ({ user_id: String(id), active: !isDeleted })),
    )
    expect(everyone.some(({ isDeleted }) => isDeleted)).toBe(true)
    expect(await store.rows('SELECT name, email FROM rollcall.people ORDER BY toUInt64(user_id)')).toEqual(
      everyone.map(({ name, email }) => ({ name, email })),
    )
    const links = everyone
      .filter(({ isDeleted }) => !isDeleted)
      .flatMap(({ id, managers }) =>
        managers.map((manager) => ({ manager_id: String(manager.id), report_id: String(id) })),
      )
    const stored = await store.rows(
      'SELECT manager_id, report_id FROM rollcall.link_versions GROUP BY ALL HAVING sum(sign * is_there) > 0',
    )
    expect(stored).toHaveLength(links.length)
    expect(stored).toEqual(expect.arrayContaining(links))
  })

  test('are overruled by what a webhook says later, at once, and by no earlier one that arrives late', async () => {
    const platform = await start()
    const person = platform.life.population.people.find(({ isDeleted }) => !isDeleted)
    const consumer = createConsumer({ client: store.writer })
    await open(platform.baseUrl).jobs.run('users')
    const active = async () =>
      (
        await store.rows(
          'SELECT active, name FROM rollcall.users JOIN rollcall.people USING user_id WHERE user_id = {id:String}',
          { id: String(person?.id) },
        )
      )[0]
    const now = Date.now()
    const said = { id: person?.id, isDeleted: true, name: 'Former Colleague' }
    await consumer.handle(toBatch([toRecord(toBody('Progress', 'a', now - 86_400_000, {}, said), 0)]))
    expect(await active()).toEqual({ active: true, name: person?.name })
    await consumer.handle(toBatch([toRecord(toBody('Progress', 'a', now, {}, said), 1)]))
    expect(await active()).toEqual({ active: false, name: 'Former Colleague' })
  })
})

describe.skipIf(isLong)('pulled guides', () => {
  const stored = () =>
    store.rows(`SELECT assignment_id, guide_id, user_id, completed, ifNull(toUnixTimestamp64Milli(due_date), 0) AS due
      FROM rollcall.guide_assignments ORDER BY assignment_id`)
  const toKnown = (platform: Platform) =>
    platform.guides
      .assignmentsAt(platform.life.now())
      .map(({ guide, person, record }) => ({
        assignment_id: record.id,
        guide_id: guide.id,
        user_id: String(person.id),
        completed: record.isCompleted,
        due: String(record.dueDate ?? 0),
      }))
      .toSorted((a, b) => (a.assignment_id < b.assignment_id ? -1 : 1))

  test.each(['paginated', 'bare'] as const)(
    'and who was assigned them are all there: %s answers',
    async (dialect) => {
      const platform = await start({ dialect })
      const { jobs } = open(platform.baseUrl, { pageSize: 20 })
      expect(await jobs.run('guides')).toMatchObject({
        outcome: 'succeeded',
        done: platform.guides.list().length,
      })
      expect(
        await store.rows('SELECT guide_id, title, tasks FROM rollcall.guides ORDER BY guide_id'),
      ).toEqual(
        platform.guides
          .list()
          .map(({ id, title, numTotalTasks }) => ({ guide_id: id, title, tasks: numTotalTasks }))
          .toSorted((a, b) => (a.guide_id < b.guide_id ? -1 : 1)),
      )
      const result = await jobs.run('guide-assignments')
      expect(result).toMatchObject({ outcome: 'succeeded', done: toKnown(platform).length })
      expect(result.pages).toBeGreaterThan(platform.guides.list().length)
      expect(await stored()).toEqual(toKnown(platform))
    },
  )

  test('are read where the list of one of them cannot be: that one again in the next attempt, until all are there', async () => {
    const broken = new Set(['g2'])
    const asked: string[] = []
    const server = await serveAnswers((url) => {
      const id = /guides\/(\w+)\/assignments/.exec(url.pathname)?.[1]
      if (id === undefined) return { json: ['g1', 'g2', 'g3'].map((each) => ({ id: each, title: each })) }
      asked.push(id)
      return broken.has(id) ? { status: 400, json: {} } : { json: [{ id: `of-${id}`, userId: 1 }] }
    })
    onTestFinished(() => server.close())
    const { jobs } = open(server.url)
    const readSince = () =>
      store.rows(
        `SELECT complete_since IS NOT NULL AS is_complete FROM rollcall.pulls WHERE job = 'guide-assignments'`,
      )
    for (let attempt = 0; attempt < 2; attempt++) {
      asked.length = 0
      const failed = await jobs.run('guide-assignments')
      expect(failed).toMatchObject({ outcome: 'failed', error: { code: 'REFUSED' } })
      expect(failed.error?.message).toContain('The assignments of 1 of 3 guides could not be read.')
      expect(asked.includes('g1')).toBe(attempt === 0)
      expect((await stored()).map(({ guide_id }) => guide_id)).toEqual(['g1', 'g3'])
      expect(await readSince()).toEqual([{ is_complete: 0 }])
    }
    broken.clear()
    expect(await jobs.run('guide-assignments')).toMatchObject({ outcome: 'succeeded' })
    expect((await stored()).map(({ guide_id }) => guide_id)).toEqual(['g1', 'g2', 'g3'])
    expect(await readSince()).toEqual([{ is_complete: 1 }])
  })

  test('are kept up to date by what has changed since the last time', async () => {
    const platform = await start()
    const { jobs } = open(platform.baseUrl, {
      clock: { now: () => platform.life.now(), sleep: systemClock.sleep },
    })
    await jobs.run('guide-assignments')
    const first = await jobs.run('guide-assignment-changes')
    expect(first.outcome).toBe('succeeded')
    const person = platform.life.population.people.find(({ isDeleted }) => !isDeleted)
    const guide = platform.guides.list()[0]
    if (person === undefined || guide === undefined) throw new Error('nobody there')
    platform.guides.assign(guide, person, platform.life.now(), null)
    platform.calls.clear()
    const second = await jobs.run('guide-assignment-changes')
    expect(await stored()).toEqual(toKnown(platform))
    expect(second.done).toBeLessThan(first.done)
    // From a quarter of an hour before the beginning of the pull before: no more, and no less.
    const [call] = platform.calls.list()
    const range = new URLSearchParams(call?.query)
    expect(Date.parse(range.get('start_time') ?? '')).toBe(first.startedAtMs - 15 * 60_000)
  })
})
