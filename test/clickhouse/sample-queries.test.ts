/**
 * The sample queries, run on the golden company (docs/golden-company.md) moved by whole days so that its Wednesday is today:
 * what they answer is what the document works out.
 */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { readSamples } from '../../reporting/queries/dictionary.ts'
import { describeData } from '../../scripts/describe-data.ts'
import { writeViews } from '../../scripts/print-views.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { at, delivery } from '../model/by-hand/hand.ts'
import { smallCompany, smallCompanyScope } from '../model/by-hand/small-company.ts'
import { openAnalystEndpoint } from '../dashboards/store-dashboards.ts'
import { day, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'

const samples = readSamples()
const minute = 60_000
// Today is the same day for the queries, too: in the last minute of a day, the next one.
await until(
  () => day - (Date.now() % day),
  (left) => left > minute,
)
const movedByMs = Math.floor(Date.now() / day) * day - Math.floor(smallCompanyScope.asOf / day) * day

/** Moves every instant of a body: the only numbers that large in it. */
function moved(body: Uint8Array | string): string {
  return Buffer.from(body)
    .toString()
    .replaceAll(/\b1\d{12}\b/g, (instant) => String(Number(instant) + movedByMs))
}

const store = await openTestStore()
const more = [
  {
    eventType: 'userCreated',
    timestamp: at('2026-03-01'),
    user: { id: 'ann', groups: [{ id: 't1', name: 'North' }] },
  },
  {
    eventType: 'userCreated',
    timestamp: at('2026-03-01'),
    user: { id: 'cem', groups: [{ id: 't2', name: 'South' }] },
  },
  { eventType: 'userCreated', user: { id: 'cem' } },
].map((body) => delivery(body))
const records = [...smallCompany, ...more].map(({ body }, offset) => ({
  ...toRecord(Buffer.from(moved(body)), offset),
  receivedAt: Date.now() - minute,
}))
await createConsumer({ client: store.writer }).handle(toBatch(records))
await store.writer.insert({
  table: 'rollcall.guide_assignment_rows',
  values: [
    { assignment_id: 'g1', guide_id: 'g', user_id: 'ann', is_completed: true },
    { assignment_id: 'g2', guide_id: 'g', user_id: 'cem', is_completed: false },
    { assignment_id: 'g3', guide_id: 'g', user_id: 'cem', is_completed: false, is_archived: true },
    { assignment_id: 'g4', guide_id: 'g', user_id: 'cem', is_completed: false, is_deleted: true },
  ],
  format: 'JSONEachRow',
})
afterAll(() => store.close())

function run(name: string): Promise<Record<string, unknown>[]> {
  return store.rows(samples.find(({ id }) => id === name)?.sql ?? '')
}

test('the views of assignments are what the tables of facts and columns say; npm run docs:data writes them', () => {
  expect(writeViews(false)).toEqual([])
})

test('docs/data-dictionary.md is what the comments say; npm run docs:data writes it', async () => {
  const file = new URL('../../docs/data-dictionary.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(await describeData(store.reader))
})

describe('the sample queries', () => {
  test('begin with the question that they answer, and read nothing but the views', async () => {
    const endpoint = await openAnalystEndpoint(store)
    for (const { id, question, sql } of samples) {
      expect([id, (await endpoint.request('/', { method: 'POST', body: sql })).status]).toEqual([id, 200])
      expect(question, id).toMatch(/^[A-Z].*\?/)
      expect(sql, id).not.toMatch(/rollcall\.\w+_(rows|versions|observations|positions|bodies)\b/)
      // Its text is read as UTC, whatever zone the server has.
      expect(sql, id).not.toContain('as_of = now64(3)')
    }
    expect(samples.length).toBeGreaterThanOrEqual(20)
  })

  test.each<[name: string, rows: Record<string, unknown>[]]>([
    [
      'completion_by_challenge',
      [
        { challenge_id: 'c2', title: null, completed_assignments: '0', assigned: '3', completion_rate: 0 },
        {
          challenge_id: 'c3',
          title: null,
          completed_assignments: '1',
          assigned: '3',
          completion_rate: 0.333,
        },
        {
          challenge_id: 'c1',
          title: null,
          completed_assignments: '2',
          assigned: '3',
          completion_rate: 0.667,
        },
      ],
    ],
    [
      'completion_by_team',
      [
        { team_id: 't2', completed_assignments: '0', assigned: '3', completion_rate: 0 },
        { team_id: 't1', completed_assignments: '1', assigned: '2', completion_rate: 0.5 },
      ],
    ],
    ['people_fully_complete', [{ people_fully_complete: '1', people: '4', rate: 0.25 }]],
    [
      'on_time_rate',
      [
        {
          on_time: '1',
          judged: '4',
          on_time_rate: 0.25,
          no_due_date: '1',
          no_completion_time: '1',
          failed_ones: '1',
          awaiting: '1',
          not_due_yet: '1',
        },
      ],
    ],
  ])('%s answers what the golden company works out', async (name, rows) => {
    expect(await run(name)).toEqual(rows)
  })

  test('those about the delivery count every one, and a history is in event order', async () => {
    const [ledger] = await run('ledger_by_day')
    const { stored_events: stored, repeats, unusable } = ledger as Record<string, string>
    expect(unusable).toBe('1')
    expect(Number(stored) + Number(repeats) + 1).toBe(smallCompany.length + 3)
    expect(await run('rejected_by_reason')).toMatchObject([{ deliveries: '1' }])
    expect(await run('webhook_delay')).not.toEqual([])
    expect(await run('month_against_month')).toMatchObject([{}, { moment: 'now', assigned: '9' }])
    // Of one moment: unknown changes first, then by the time of the change, then by type. Deleted, it is in no other answer.
    const now = Date.now()
    await storeBodies(store.writer, [
      toBody('Deleted', 'a', now, { updatedAt: now }),
      toBody('Completed', 'a', now, { updatedAt: now }),
      toBody('Progress', 'a', now, { updatedAt: now }),
      toBody('Created', 'a', now, { updatedAt: now }),
      toBody('Progress', 'a', now, { updatedAt: now - 1 }),
      toBody('Completed', 'a', now, { updatedAt: null }),
      toBody('Created', 'a', now, { updatedAt: null }),
    ])
    expect(await run('history_of_one_assignment')).toMatchObject(
      ['Created', 'Completed', 'Progress', 'Created', 'Progress', 'Completed', 'Deleted'].map((kind) => ({
        event_type: `assignment${kind}.challenge`,
      })),
    )
  })
})
