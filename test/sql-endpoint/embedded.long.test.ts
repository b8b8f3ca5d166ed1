import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { monday, toBody } from '../support/data/records.ts'
import { fileDirectory } from '../support/directories.ts'

const directory = fileDirectory()
let embedded: Embedded
let sqlPort: number | undefined
beforeAll(async () => {
  ;[sqlPort] = await findFreePorts(1)
  embedded = await startEmbedded(directory, { SQL_MAX_ROWS: '10000', SQL_PORT: String(sqlPort) })
})
afterAll(async () => {
  await embedded.stop()
})

test('the product answers SQL at /api/sql, within the limits that are set, and what was just received', async () => {
  await deliver(embedded.ingestUrl, toBody('Created', 'a', monday))
  const client = createClient({
    url: embedded.dashboardUrl,
    pathname: '/api/sql',
    log: { level: ClickHouseLogLevel.OFF },
  })
  const ask = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json()
  await expect.poll(() => ask('SELECT assignment_id FROM assignments')).toEqual([{ assignment_id: 'a' }])
  await expect(ask('SELECT number FROM numbers(10001)')).rejects.toMatchObject({ code: '396' })
  await expect(ask('SELECT * FROM people')).rejects.toMatchObject({ code: '497' })
  await client.close()

  // Nobody signs in: credentials are not needed, and any are ignored.
  expect(embedded.output()).toContain(`http://127.0.0.1:${sqlPort}`)
  const atRoot = { url: `http://127.0.0.1:${sqlPort}`, log: { level: ClickHouseLogLevel.OFF } }
  for (const credentials of [{}, { username: 'any', password: 'wrong' }]) {
    const root = createClient({ ...atRoot, ...credentials })
    const rows = await root.query({ query: 'SELECT assignment_id FROM assignments', format: 'JSONEachRow' })
    expect(await rows.json()).toEqual([{ assignment_id: 'a' }])
    await root.close()
  }
  const page = await fetch(`${embedded.dashboardUrl}/api/metrics`)
  expect(page.status).toBe(200)
})
