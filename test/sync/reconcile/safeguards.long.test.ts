/** The limits of reconciliation, and its acts when something fails in the middle. */
import { afterAll, expect, test } from 'vitest'
import { toNote } from '../../../services/sync/reconcile/create-reconcile-job.ts'
import { PlatformError } from '../../../services/platform/platform-error.ts'
import { createReconcile } from '../../../services/sync/reconcile/reconcile.ts'
import { readHealth } from '../../../reporting/queries/health.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { startPlatform } from '../../../sample-platform/start.ts'
import { openPipeline } from './pipeline.ts'

const from = Date.parse('2026-04-01T00:00:00Z')
const to = Date.parse('2026-05-01T00:00:00Z')
const everybody = { repair: true, maxPeople: 10_000, notAgainForMs: 0 }

const pipeline = await openPipeline({ seed: 'safe', people: 25, from, to, faults: { loss: 0.1 } })
await pipeline.platform.deliverHistory()
await pipeline.settled()
/** Has the same people and not one assignment, as a platform that is being restored. */
const emptied = await startPlatform({ seed: 'safe', people: 25, from, to: from })
afterAll(async () => {
  await emptied.close()
  await pipeline.close()
})

const live = async () => {
  const [row] = await pipeline.store.rows<{ n: string }>(
    'SELECT count() AS n FROM rollcall.assignments WHERE user_active',
  )
  return Number(row?.n)
}
test('retries a person whose repair the log refused, and repairs each person once', async () => {
  let appends = 0
  const failing = createReconcile({
    client: pipeline.store.writer,
    platform: pipeline.client,
    now: () => pipeline.clock.now(),
    async append(records) {
      if (records.length > 0 && ++appends > 2) throw new Error('the log is full')
      await pipeline.append(records)
    },
  })
  pipeline.clock.turn(1)
  await expect(failing.sweep(everybody)).rejects.toThrow('the log is full')
  await pipeline.settled()
  pipeline.clock.turn(1)
  const result = await pipeline.reconcile.sweep(everybody)
  await pipeline.settled()
  expect(result.missing + result.stale).toBeGreaterThan(0)
  const [twice] = await pipeline.store.rows<{ n: string }>(
    `SELECT count() AS n FROM (SELECT assignment_id, kind FROM rollcall.drift_report WHERE action = 'repaired' GROUP BY assignment_id, kind HAVING count() > 1)`,
  )
  expect(twice?.n).toBe('0')
})

test('deletes only what two comparisons in a row did not find: a short list of days ago confirms nothing', async () => {
  const [person] = await pipeline.store.rows<{ user_id: string }>(
    `SELECT user_id FROM rollcall.assignments WHERE user_active GROUP BY user_id ORDER BY count(), user_id LIMIT 1`,
  )
  const users = [person?.user_id ?? '']
  const compare = (baseUrl: string) =>
    createReconcile({
      client: pipeline.store.writer,
      platform: pipeline.openClient(baseUrl),
      append: (records) => pipeline.append(records),
      now: () => pipeline.clock.now(),
    }).backfill({ repair: true, users })
  const before = await live()
  for (const baseUrl of [emptied.baseUrl, pipeline.platform.baseUrl, emptied.baseUrl]) {
    pipeline.clock.turn(2 * 86_400_000)
    const { extra, waiting, repaired } = await compare(baseUrl)
    expect([waiting, repaired]).toEqual([extra, 0])
    expect(extra > 0).toBe(baseUrl === emptied.baseUrl)
  }
  expect(await live()).toBe(before)
  pipeline.clock.turn(1)
  await compare(pipeline.platform.baseUrl)
  pipeline.clock.turn(1)
})

test('does not believe a platform that suddenly lists nothing: deletions wait, then a person must say so', async () => {
  const before = await live()
  expect(before).toBeGreaterThan(50)
  const reconcile = createReconcile({
    client: pipeline.store.writer,
    platform: pipeline.openClient(emptied.baseUrl),
    append: (records) => pipeline.append(records),
    now: () => pipeline.clock.now(),
  })
  const first = await reconcile.sweep(everybody)
  // It judges nothing about people that it does not know.
  expect(first.extra).toBeGreaterThan(50)
  expect([first.waiting, first.repaired]).toEqual([first.extra, 0])
  pipeline.clock.turn(2 * 3_600_000)
  // Nor one run after the other, each of which finds few.
  for (let run = 0; run < 5; run++) {
    const { heldBack, repaired } = await reconcile.sweep({ ...everybody, maxPeople: 1 })
    expect([heldBack > 0, repaired]).toEqual([true, 0])
    pipeline.clock.turn(3_600_000)
  }
  const second = await reconcile.sweep(everybody)
  await pipeline.settled()
  expect([second.heldBack, second.repaired]).toEqual([first.extra, 0])
  expect(await live()).toBe(before)
  // Somebody who looks first takes nothing back.
  const looked = await reconcile.backfill({ repair: false })
  expect(looked.heldBack).toBe(second.heldBack)
  pipeline.clock.turn(1)

  const third = await reconcile.sweep({ ...everybody, repairMassDeletion: true })
  await pipeline.settled()
  expect(third.repaired).toBe(first.extra)
  expect(await live()).toBe(before - first.extra)
})

test('brings all of it back from the platform as it was', async () => {
  const [person] = await pipeline.store.rows<{ user_id: string; n: string }>(
    `SELECT user_id, uniqExact(assignment_id) AS n FROM rollcall.events WHERE rollcall.events.recognised AND user_id IS NOT NULL GROUP BY user_id ORDER BY n DESC, user_id LIMIT 1`,
  )
  // An assignment that was deleted here a moment ago is too fresh to be doubted.
  expect(await pipeline.reconcile.backfill({ repair: true })).toMatchObject({ missing: 0, repaired: 0 })
  pipeline.clock.turn(3_600_000)
  const before = await live()
  const one = await pipeline.reconcile.backfill({ repair: true, users: [person?.user_id ?? ''] })
  await pipeline.settled()
  expect(one.people).toBe(1)
  expect(await live()).toBe(before + one.missing)

  const known = await pipeline.store.rows<{ user_id: string }>(
    'SELECT user_id FROM rollcall.users WHERE active',
  )
  const ids = new Set(known.map(({ user_id }) => user_id))
  const there = pipeline.platform
    .truth()
    .assignments.filter(({ deleted, userId }) => !deleted && ids.has(String(userId)))
  const all = await pipeline.reconcile.backfill({ repair: true })
  await pipeline.settled()
  expect(all.missing).toBeGreaterThan(0)
  expect(await live()).toBe(there.length)
})

test('goes on with the others where the list of some people cannot be read, and says of how many', async () => {
  const asked: string[] = []
  const refused = new Set<string>()
  const reconcile = createReconcile({
    client: pipeline.store.writer,
    platform: {
      ...pipeline.client,
      userAssignments(userId, options) {
        asked.push(userId)
        if (refused.has(userId)) throw new PlatformError('REFUSED', 'The platform refuses the request (400).')
        return pipeline.client.userAssignments(userId, options)
      },
    },
    append: (records) => pipeline.append(records),
    now: () => pipeline.clock.now(),
  })
  pipeline.clock.turn(7 * 3_600_000)
  const { people } = await reconcile.sweep({ ...everybody, repair: false })
  expect(people).toBeGreaterThan(12)
  const order = asked.splice(0)
  for (const userId of order.slice(0, 2)) refused.add(userId)
  pipeline.clock.turn(7 * 3_600_000)
  const result = await reconcile.sweep({ ...everybody, repair: false })
  expect(result).toMatchObject({ people, failed: 2 })
  expect(toNote(result)).toContain('The lists of 2 people could not be read')
  // Nor does Health take them for compared.
  const reader = ownReader(pipeline.store.reader)
  const { reconciled } = await readHealth(reader, { now: pipeline.clock.now(), timeZone: 'UTC' })
  expect(reconciled.people).toBe(people - 2)
  // They have had their turn, too.
  expect(await reconcile.sweep({ repair: false, maxPeople: 10_000 })).toMatchObject({ people: 0 })

  // A platform that refuses everybody is asked five times, and other people at the next try.
  for (const userId of order) refused.add(userId)
  pipeline.clock.turn(7 * 3_600_000)
  const tries = []
  for (let run = 0; run < 2; run++) {
    asked.length = 0
    await expect(reconcile.sweep({ repair: false, maxPeople: 10_000 })).rejects.toMatchObject({
      code: 'REFUSED',
    })
    tries.push([...asked])
  }
  expect(tries.map(({ length }) => length)).toEqual([5, 5])
  expect(new Set(tries.flat()).size).toBe(10)
  await expect(reconcile.backfill({ repair: false, users: order.slice(0, 1) })).rejects.toMatchObject({
    code: 'REFUSED',
  })
})
