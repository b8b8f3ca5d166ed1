/** The embedded engine: what a failed statement leaves behind, and what waits at the standard input. */
import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { openTestStore } from '../support/store/store.ts'
import { toBuilt } from '../support/processes/built.ts'
import { childEnvironment } from '../support/processes/child.ts'
import { testDirectory } from '../support/directories.ts'

const store = await openTestStore()
afterAll(() => store.close())

test('what a statement had answered before it failed is in no answer of the next ones', async () => {
  const limits = {
    maxExecutionSeconds: 30,
    maxMemoryBytes: 2 ** 29,
    maxResultRows: 2_000_000,
    maxResultBytes: 2 ** 26,
  }
  const failing = 'SELECT throwIf(number = 900000), number FROM numbers(1000000)'
  const clients = { reader: store.reader, writer: store.writer, analyst: await store.openAnalyst(limits) }
  for (const [name, client] of Object.entries(clients)) {
    await expect(client.query({ query: failing, format: 'JSONEachRow' }), name).rejects.toThrow()
    const asked = Array.from({ length: 4 }, async (_, index) => {
      const result = await client.query({ query: `SELECT ${index} AS n`, format: 'JSONEachRow' })
      return result.json()
    })
    expect([name, await Promise.all(asked)]).toEqual([name, [0, 1, 2, 3].map((n) => [{ n }])])
  }
})

test('what waits at the standard input is no row of an insert, and hinders none', () => {
  const directory = testDirectory()
  const run = spawnSync(process.execPath, [toBuilt('services/cli/main.ts'), 'migrate'], {
    env: childEnvironment({ DATA_DIR: directory }),
    input: '[9999, "of another program"]\n'.repeat(3),
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('01_events.sql') as unknown })
})
