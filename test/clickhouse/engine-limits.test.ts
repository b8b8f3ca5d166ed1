import { afterAll, expect, test } from 'vitest'
import { openTestStore } from '../support/store/store.ts'
import { engineLimits } from '../../services/clickhouse/open-embedded.ts'

const store = await openTestStore()
afterAll(() => store.close())

test('the engine keeps to its limits of memory and threads', async () => {
  const settings = await store.rows<{ name: string; value: string }>(
    'SELECT name, value FROM system.server_settings',
  )
  const values = new Map(settings.map(({ name, value }) => [name, value]))
  for (const limit of engineLimits) {
    const [name = '', value] = limit.slice(2).split('=')
    expect([name, values.get(name)]).toEqual([name, value])
  }
})

test('our own statements are not compiled, however often one comes', async () => {
  // Statements of analysts may be, and other tests of this process ask as analysts do.
  const compiled = () => store.rows(`SELECT value FROM system.events WHERE event = 'CompileFunction'`)
  const before = await compiled()
  for (let times = 0; times < 5; times++) {
    await store.rows('SELECT sum(number * 3 + number % 7 - 1) AS s FROM numbers(100000) GROUP BY number % 5')
  }
  expect(await compiled()).toEqual(before)
})
