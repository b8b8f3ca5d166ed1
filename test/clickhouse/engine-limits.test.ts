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
