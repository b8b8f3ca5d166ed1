/** One item that the store refuses stops no pull: a constraint makes the engine refuse an item that it would take otherwise. */
import { afterAll, expect, test } from 'vitest'
import { startPlatform } from '../../../sample-platform/start.ts'
import { openTestStore } from '../../support/store/store.ts'
import { openInstallation } from './installation.ts'

const store = await openTestStore()
afterAll(() => store.close())

test('pulls leave out what the store refuses, count it and say so', async () => {
  const platform = await startPlatform({
    seed: 'refused',
    from: Date.UTC(2026, 4, 4, 6),
    to: Date.UTC(2026, 7, 3, 12),
    people: 40,
    callsPerHour: 100_000,
  })
  await platform.deliverHistory()
  const installation = openInstallation({ store, baseUrl: platform.baseUrl, pageSize: 10 })
  const [refused] = platform.life.population.people
  const pull = async (job: string) => {
    const { outcome, done, skipped, note } = await installation.jobs.run(job)
    expect(outcome).toBe('succeeded')
    return { done, skipped, note }
  }
  try {
    const all = {
      users: await pull('users'),
      guides: await pull('guides'),
      assignments: await pull('guide-assignments'),
    }
    await store.clear()
    const [guide] = await (async () => {
      await pull('guides')
      return store.rows<{ guide_id: string }>(
        'SELECT guide_id FROM rollcall.guide_rows ORDER BY guide_id LIMIT 1',
      )
    })()
    await store.clear()
    const condition = `user_id != '${refused?.id}'`
    for (const table of ['user_versions', 'guide_assignment_rows']) {
      await store.writer.command({
        query: `ALTER TABLE rollcall.${table} ADD CONSTRAINT nobody CHECK ${condition}`,
      })
    }
    await store.writer.command({
      query: `ALTER TABLE rollcall.guide_rows ADD CONSTRAINT nothing CHECK guide_id != '${guide?.guide_id}'`,
    })

    const note = '1 of the items that were read could not be stored: the store refuses them.'
    expect(await pull('users')).toEqual({ done: all.users.done - 1, skipped: 1, note })
    expect(await pull('guides')).toEqual({ done: all.guides.done - 1, skipped: 1, note })
    const assignments = await pull('guide-assignments')
    expect(assignments.done + assignments.skipped).toBe(all.assignments.done)
    expect(assignments.skipped).toBeGreaterThan(0)
    const [people] = await store.rows<{ n: string }>(
      'SELECT uniqExact(user_id) AS n FROM rollcall.user_versions',
    )
    expect(Number(people?.n)).toBe(all.users.done - 1)
  } finally {
    await installation.close()
    await platform.close()
  }
})
