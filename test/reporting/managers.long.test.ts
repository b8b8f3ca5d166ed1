/** Managers as people ask for them: over the API, in exports, as of any day. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople, type PulledPerson } from '../../services/consumer/store/store-pulled-people.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { createStoreApi } from '../dashboards/api/described.ts'

const now = monday + 40 * day
const tuesday = monday + day

/** 1 leads 2, 2 leads 3; 4 has nobody above. Each has an assignment of the same number. On the 10th day 3 goes to 4. */
const bodies = [
  toBody('Created', 'a1', monday, {}, { id: 1, managers: [], directReports: [{ id: 2 }] }),
  toBody('Created', 'a2', monday, {}, { id: 2, managers: [{ id: 1 }] }),
  toBody('Created', 'a3', monday, {}, { id: 3, managers: [{ id: 2 }] }),
  toBody('Created', 'a4', monday, {}, { id: 4 }),
  toBody('Progress', 'a3', monday + 10 * day, {}, { id: 3, managers: [{ id: 4 }] }),
]

const store = await openTestStore()
const app = createStoreApi(store, now)
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  await deliver(bodies)
})

async function deliver(all: Uint8Array[]): Promise<void> {
  await storeBodies(store.writer, all)
}

async function pull(
  ...pulled: (Partial<PulledPerson> & { userId: string; observedAtMs: number })[]
): Promise<void> {
  const silent = {
    isDeleted: undefined,
    isPermanentlyDeleted: undefined,
    teams: undefined,
    managers: undefined,
    directReports: undefined,
    name: undefined,
    email: undefined,
  }
  const people = createPeople(store.writer)
  await storePulledPeople(
    store.writer,
    people,
    pulled.map((person) => ({ ...silent, ...person })),
  )
}

/** The ids of the assignments, by every way on which they are given; all of them have to agree. */
async function under(query: string): Promise<string[]> {
  const metrics = (await (await app.request(`/metrics?${query}`)).json()) as MetricsAnswer
  const rows = (await (await app.request(`/assignments?${query}`)).json()) as {
    assignments: { assignment_id: string }[]
  }
  const csv = await (await app.request(`/assignments?${query}&format=csv&columns=assignment_id`)).text()
  const ids = rows.assignments.map((row) => row.assignment_id).sort()
  const lines = csv.trim().split('\n').slice(1)
  expect(lines.map((line) => line.slice(0, 2)).sort()).toEqual(ids)
  expect(metrics.metrics.assigned.value).toBe(ids.length)
  return ids
}

describe('the reports of a manager', () => {
  test('are direct and indirect ones, as far down as asked, as of the moment asked for', async () => {
    expect(await under('manager=1&as_of=2026-01-08')).toEqual(['a2', 'a3'])
    expect(await under('manager=1&manager_depth=1&as_of=2026-01-08')).toEqual(['a2'])
    expect(await under('manager=1')).toEqual(['a2'])
    expect(await under('manager=4&as_of=2026-01-08')).toEqual([])
    expect(await under('manager=4')).toEqual(['a3'])
  })

  test('are those of any of several managers, within every other filter', async () => {
    expect(await under('manager=1&manager=4')).toEqual(['a2', 'a3'])
    expect(await under('manager=1&user=2&user=4')).toEqual(['a2'])
    expect(await under('manager=4&user=2')).toEqual([])
    expect(await under('manager=nobody')).toEqual([])
  })

  test('are followed through a manager who has left', async () => {
    await deliver([toBody('Progress', 'a2', tuesday, {}, { id: 2, isDeleted: true })])
    expect(await under('manager=1&as_of=2026-01-08')).toEqual(['a3'])
    expect(await under('manager=1&as_of=2026-01-08&include_leavers=true')).toEqual(['a2', 'a3'])
  })

  test('are found in a reporting circle, and no person is below themselves', async () => {
    await deliver([toBody('Progress', 'a1', tuesday, {}, { id: 1, managers: [{ id: 3 }] })])
    expect(await under('manager=1&as_of=2026-01-08')).toEqual(['a2', 'a3'])
    expect(await under('manager=3&as_of=2026-01-08')).toEqual(['a1', 'a2'])
  })

  test('follow what the manager says as much as what the report says, the last one counting', async () => {
    await deliver([toBody('Progress', 'a2', tuesday, {}, { id: 2, directReports: [] })])
    expect(await under('manager=2&as_of=2026-01-08')).toEqual([])
    await deliver([toBody('Progress', 'a3', monday + 2 * day, {}, { id: 3, managers: [{ id: 2 }] })])
    expect(await under('manager=2&as_of=2026-01-06')).toEqual([])
    expect(await under('manager=2&as_of=2026-01-08')).toEqual(['a3'])
  })
})

describe('a pull', () => {
  test('beats an event at one instant, and of two the one that says there', async () => {
    await pull({ userId: '2', observedAtMs: monday + 10 * day, directReports: ['3'] })
    expect(await under('manager=2')).toEqual(['a3'])
    await pull({ userId: '3', observedAtMs: monday + 10 * day, managers: [] })
    expect(await under('manager=2')).toEqual(['a3'])
    expect(await under('manager=4')).toEqual([])
  })

  test('says nothing about what it does not have', async () => {
    await pull({ userId: '3', observedAtMs: monday + 20 * day, name: 'Cy' })
    expect(await under('manager=4')).toEqual(['a3'])
  })
})

test('ignores statements made after both the moment and now', async () => {
  await deliver([toBody('Progress', 'a4', now + day, {}, { id: 4, managers: [{ id: 1 }] })])
  expect(await under('manager=1')).toEqual(['a2'])
  // As of a moment after it was said, it counts, and 3 is under 4.
  expect(await under(`manager=1&as_of=${new Date(now + 2 * day).toISOString()}`)).toEqual(['a2', 'a3', 'a4'])
})

test('refuses a depth without a manager, and says why', async () => {
  const answer = await app.request('/assignments?manager_depth=1')
  expect(answer.status).toBe(400)
  const { error } = (await answer.json()) as { error: { problems: { parameter: string }[] } }
  expect(error.problems.map(({ parameter }) => parameter)).toEqual(['manager_depth'])
})
