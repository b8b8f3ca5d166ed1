/** Histories of few events and what the product answers: a line each of `cases.jsonl`. Times are days after Monday 5 January 2026, or ISO 8601. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createArrival } from '../../dashboards/arrival.ts'
import { createAlertJudge, readWrong } from '../../digest/content/alerts.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { openStoreDashboards } from './store-dashboards.ts'

type Time = number | string
type Sent = [kind: Parameters<typeof toBody>[0], id: string, at: Time, assignment?: object, user?: object]
type Case = {
  name: string
  /** Default 40. */
  now?: Time
  events: Sent[]
  /** By path of an answer of the API, values of its metrics. */
  asks?: [path: string, values: Record<string, unknown>][]
  /** Pages that hold a text. */
  pages?: [path: string, text: string][]
}

const lines = readFileSync(join(import.meta.dirname, 'cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
const toMs = (time: Time) => (typeof time === 'number' ? monday + time * day : Date.parse(time))
const timeFields = ['createdAt', 'completedAt', 'dueDate']

/** A text of `#` and digits is sent as a number, as it is. */
function toSent([kind, id, at, assignment = {}, user = {}]: Sent): Buffer {
  const times = Object.entries(assignment).map(([name, value]): [string, unknown] => [
    name,
    timeFields.includes(name) && typeof value === 'number' && value < 1_000 ? toMs(value) : value,
  ])
  const body = Buffer.from(toBody(kind, id, toMs(at), Object.fromEntries(times), { ...user })).toString()
  return Buffer.from(body.replaceAll(/"#(\d+)"/g, '$1'))
}

test.each(lines.map((line) => JSON.parse(line) as Case))(
  '$name',
  async ({ now = 40, events, asks, pages }) => {
    const { get, close } = await openStoreDashboards({
      now: toMs(now),
      fill: ({ writer }) => storeBodies(writer, events.map(toSent)),
    })
    onTestFinished(close)
    for (const [path, values] of asks ?? []) {
      const { metrics } = JSON.parse(await get(path)) as { metrics: Record<string, Record<string, unknown>> }
      const read = Object.keys(values).map((name) => {
        const [metric = '', part = ''] = name.split('.')
        return [name, metrics[metric]?.[part]]
      })
      expect([path, Object.fromEntries(read)]).toEqual([path, values])
    }
    for (const [path, text] of pages ?? []) expect(await get(path), path).toContain(text)
  },
)

const called: [name: string, at: number][] = [
  ['First', Date.now() - 10 * day],
  ['Renamed', Date.now() - 2 * day],
  ['Of2100', Date.UTC(2100, 0)],
  ['First', Date.now() + 3 * day],
]
const orders = [
  [0, 1, 2, 3],
  [3, 2, 1, 0],
  [2, 0, 3, 1],
]

test.each(orders)(
  'a name stamped after now does not count, in whichever order it arrives: %i %i %i %i',
  async (...order) => {
    const records = order.map((nth, offset) => {
      const [name, at] = called[nth]!
      const user = { id: 7, name, groups: [{ id: 't1', name }] }
      const body = Buffer.from(toBody('Created', `a${nth}`, at, { createdAt: at }, user)).toString()
      const record = toRecord(Buffer.from(body.replace('First call', name)), offset)
      return { ...record, receivedAt: Date.now() }
    })
    const { store, get, close } = await openStoreDashboards({
      now: Date.now(),
      fill: ({ writer }) => createConsumer({ client: writer }).handle(toBatch(records)),
    })
    onTestFinished(close)
    const page = await get('/learners/7')
    expect(page).toContain('Renamed')
    expect(page).not.toMatch(/>First<|>Of2100</)
    expect(await store.rows('SELECT DISTINCT challenge FROM rollcall.assignments_all')).toEqual([
      { challenge: 'Renamed' },
    ])
    const rows = await get('/api/assignments')
    expect(rows).toContain('"Renamed"')
    expect(rows).not.toMatch(/"First"|"Of2100"/)
    expect(
      await store.rows('SELECT kind, name, counts_from > 0 AS later FROM rollcall.names FINAL ORDER BY ALL'),
    ).toEqual(
      ['challenge', 'team'].flatMap((kind) => [
        { kind, name: 'First', later: 0 },
        { kind, name: 'First', later: 1 },
        { kind, name: 'Of2100', later: 1 },
        { kind, name: 'Renamed', later: 0 },
      ]),
    )
  },
)

test('odd times are an alert once, when they begin, until none has come for a day', async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  let now = monday + 30 * day
  const clock = () => now
  const arrival = createArrival({
    reader: ownReader(store.reader),
    timeZone: 'UTC',
    clock,
    bodies: 'withheld',
  })
  const read = async () => (await readWrong({ arrival, timeZone: 'UTC', clock })).times
  await storeBodies(store.writer, [toBody('Created', 'a', monday)])
  expect(await read()).toBeUndefined()

  await storeBodies(store.writer, [toSent(['Created', 'b', 0, { dueDate: 1_768_176_000 }])])
  const times = await read()
  expect(times?.en).toBe(
    'Dates before 2000 or more than a day ahead arrived in: challengeAssignment.dueDate.',
  )
  expect(times?.['de']).toContain('challengeAssignment.dueDate')
  const judge = createAlertJudge(clock)
  expect(judge({ times: times! }, [])).toEqual([])
  now += 300_000
  const began = judge({ times: times! }, [])
  expect(began).toMatchObject([{ alert: 'times', state: 'started', number: 1 }])
  now += 300_000
  expect(judge({ times: times! }, began)).toEqual([])
  now += day
  expect(await read()).toBeUndefined()
})
