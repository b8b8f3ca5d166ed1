/** The tables of wire fields and event types, beside the store and the texts that repeat them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { eventNumbers, numbersInOrder } from '../../schemas/webhook/event-bits.ts'
import { assignmentEvents, assignmentEventTypes, assignmentFieldList } from '../../schemas/webhook/event.ts'
import { openTestStore } from '../support/store/store.ts'

const root = join(import.meta.dirname, '../..')
const store = await openTestStore()
afterAll(() => store.close())

const columnTypes: Record<string, string> = {
  status: 'LowCardinality(String)',
  number: 'Nullable(Float64)',
  time: "DateTime64(3, 'UTC')",
}

test('every wire field has its column in the table of events, or its bit', async () => {
  const rows = await store.rows(
    `SELECT name, type FROM system.columns WHERE database = 'rollcall' AND table = 'event_rows'`,
  )
  const types = new Map(rows.map(({ name, type }) => [name, type]))
  const stored = assignmentFieldList.filter(([, { type }]) => type !== 'id' && type !== 'flag')
  expect(stored.map(([field, { column = '' }]) => [field, types.get(column)])).toEqual(
    stored.map(([field, { type }]) => [field, columnTypes[type]]),
  )
  const bits = assignmentFieldList.flatMap(([, { type, bit }]) => (type === 'flag' ? [bit] : []))
  expect(bits).toEqual(bits.map((_, index) => index))
  expect([types.get('flags_known'), bits.length <= 8]).toEqual(['UInt8', true])
})

test('contradictions have one bit each, in the order in which the view names them', () => {
  expect(contradictions.map(({ bit }) => bit)).toEqual(contradictions.map((_, index) => 1 << index))
  expect(contradictions.length).toBeLessThanOrEqual(16)
})

test('event types have numbers and places of their own', () => {
  const types = Object.values(assignmentEvents)
  expect(new Set(types.map(({ number }) => number)).size).toBe(types.length)
  expect(new Set(types.map(({ order }) => order)).size).toBe(types.length)
  expect(types.filter(({ number }) => number < 1 || number > 255)).toEqual([])
})

test('METRICS.md and README name the event types of the table, in its order, and no text counts them', () => {
  const order = numbersInOrder.map((number) =>
    assignmentEventTypes.find((type) => eventNumbers[type] === number),
  )
  const words = order.map((type) => /^assignment(\w+)\./.exec(type ?? '')?.[1])
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ')
  expect(textOf('docs/METRICS.md')).toContain(`(${words.join(' < ')})`)
  const named = textOf('README.md').match(/`assignment\w+\.challenge`/g)
  expect(named).toEqual(assignmentEventTypes.map((type) => `\`${type}\``))
  const texts = execFileSync(
    'git',
    ['ls-files', '*.md', '*.ts', '*.tsx', '*.sql', '*.json', ':!CHANGELOG.md'],
    {
      cwd: root,
    },
  )
  const counting = texts
    .toString()
    .trim()
    .split('\n')
    .filter((file) => /\b(four|vier)\b[^.]{0,40}\b(events?\b|ereignis)/i.test(textOf(file)))
  expect(counting).toEqual([])
})
