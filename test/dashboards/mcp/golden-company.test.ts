/** Questions about the company of docs/golden-company.md, asked by the SDK's own client: right to the digit. */
import { afterAll, expect, test } from 'vitest'
import { openDashboards } from '../../../dashboards/open-dashboards.ts'
import { readGoldenDocument, toDocumentDigits } from '../../model/by-hand/hand.ts'
import { smallCompany } from '../../model/by-hand/small-company.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore } from '../../support/store/store.ts'
import { openAnalystEndpoint } from '../store-dashboards.ts'
import { openAssistant, type Json } from './assistant.ts'
import { charts } from '../charts.ts'

const golden = readGoldenDocument()
const moment = '2026-03-18T12:00:00.000Z'

const store = await openTestStore()
await storeBodies(
  store.writer,
  smallCompany.map(({ body }) => body),
)
const dashboards = await openDashboards({
  charts,
  client: store.reader,
  streamer: store.streamer,
  settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' },
  sql: await openAnalystEndpoint(store),
  isReady: () => true,
  onError: (error) => {
    throw error
  },
  clock: () => Date.parse(moment),
})
const assistant = await openAssistant(dashboards.app)
afterAll(async () => {
  await dashboards.close()
  await store.close()
})

const valueOf =
  (...path: string[]) =>
  (answer: Json): unknown =>
    path.reduce<unknown>((value, name) => (value as Json)[name], answer)
const idsOf = (answer: Json) =>
  (answer.rows as { assignment_id: string }[]).map((row) => row.assignment_id).toSorted()
const leftOut = (answer: Json) => (answer.left_out as string[]).filter((text) => /^\d/.test(text))

type Question = [string, tool: string, Json, (answer: Json) => unknown, unknown]
const questions: Question[] = [
  ['How many assignments are there?', 'explain', { metric: 'assigned' }, valueOf('value'), golden.assigned],
  [
    'What does that leave out?',
    'explain',
    { metric: 'on_time_rate' },
    leftOut,
    ['1: no_due_date', '1: no_completion_time', '1: failed', '1: awaiting_grading', '1: not_due_yet'],
  ],
  ['Which are overdue?', 'rows', { fact: ['overdue'] }, idsOf, ['a11', 'a3']],
  ['Which of them are more than a week overdue?', 'rows', { aging: ['8-14'] }, idsOf, ['a3']],
  ['Which count as on time?', 'rows', { metric: 'on_time_rate', part: 'numerator' }, idsOf, ['a1']],
  ['How many are cem’s?', 'metrics', { user: ['cem'] }, valueOf('metrics', 'assigned', 'value'), 3],
  [
    'How many were overdue ten days ago?',
    'changes',
    { from: '2026-03-07' },
    valueOf('metrics', 'from', 'overdue', 'value'),
    1,
  ],
  ['Are there guides?', 'guides', {}, valueOf('metrics', 'assigned', 'value'), 0],
  ['Could all webhooks be read?', 'failed_events', {}, valueOf('total'), 0],
  [
    'How many does each challenge have?',
    'sql',
    { statement: 'SELECT challenge_id, count() FROM assignments GROUP BY ALL ORDER BY 1' },
    valueOf('rows'),
    [
      ['c1', 3],
      ['c2', 3],
      ['c3', 3],
    ],
  ],
  ['What does “overdue” mean?', 'explain', { metric: 'overdue' }, valueOf('title'), 'Overdue'],
  ['Does anything wait to be counted?', 'health', {}, valueOf('waiting'), 0],
]

test.each(questions)('%s', async (_, tool, given, read, expected) => {
  const answer = await assistant.ask(tool, given)
  expect(toDocumentDigits(read(answer))).toEqual(toDocumentDigits(expected))
  // Each says of when it is, its exclusions, and where its page is.
  expect(answer).toMatchObject({ as_of: moment, left_out: expect.any(Array) })
  expect(answer).toHaveProperty('complete_up_to')
  const page = new URL(answer.page as string)
  expect([page.href, (await dashboards.app.request(page.href)).status]).toEqual([page.href, 200])
})

test('a number of rows leads to the page of those rows, because Home does not filter by them', async () => {
  const { page, value } = await assistant.ask('explain', {
    metric: 'assigned',
    fact: ['overdue', 'graded'],
  })
  expect(page).toContain('/assignments?')
  const html = await (await dashboards.app.request(page as string)).text()
  expect(html).toContain(`${(value as Json).value as number} assignments`)
})

test('the questions use every tool', async () => {
  const { tools } = await assistant.client.listTools()
  expect([...new Set(questions.map(([, tool]) => tool))].toSorted()).toEqual(
    tools.map(({ name }) => name).toSorted(),
  )
})

test('every metric of the document is the document’s', async () => {
  const { metrics } = await assistant.ask('metrics', { trend_from: '2026-03-02' })
  expect(toDocumentDigits(metrics)).toEqual(golden)
})
