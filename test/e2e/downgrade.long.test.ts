/** An older version on the data of a newer one: it refuses before it takes anything, and leaves them as they are. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { runCli } from '../support/processes/cli.ts'
import { spawnChild } from '../support/processes/child.ts'
import { readAssigned, deliver, startEmbedded, testToken } from '../support/processes/embedded.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'
import { fileDirectory } from '../support/directories.ts'

const data = fileDirectory()

async function inStore<Result>(query: string): Promise<Result[]> {
  const store = await openEmbeddedClickHouse({ directory: join(data, 'clickhouse') })
  try {
    if (!query.startsWith('SELECT')) {
      await store.writer.command({ query })
      return []
    }
    return await (await store.reader.query({ query, format: 'JSONEachRow' })).json<Result>()
  } finally {
    await store.close()
    await (await import('chdb')).drainPending()
  }
}

const count =
  'SELECT toUInt32(count()) AS n, toInt32((SELECT lost + difference FROM rollcall.ledger_total)) AS difference FROM rollcall.events'

async function runWith(ids: readonly string[], stored: number): Promise<void> {
  const embedded = await startEmbedded(data)
  try {
    for (const id of ids) {
      const body = Buffer.from(toBody('Created', id, monday + day))
      expect((await deliver(embedded.ingestUrl, body)).status).toBe(200)
    }
    await until(
      () => readAssigned(embedded.dashboardUrl),
      (assigned) => assigned === stored,
    )
    expect(await embedded.stop(), embedded.output()).toBe(0)
  } finally {
    await embedded.kill()
  }
}

test('refuses with exit code 2 in one line, takes no delivery, and the newer version finds everything', async () => {
  await runWith(['a', 'b', 'c'], 3)
  await inStore(
    `INSERT INTO rollcall.schema_migrations (name, checksum, version) VALUES ('99_of_a_later_version.sql', 'x', '9.9.9')`,
  )

  const [ingestPort, dashboardPort, adminPort] = (await findFreePorts(3)).map(String) as [string, string, string]
  const child = spawnChild('services/embedded/main.ts', {
    DATA_DIR: data,
    INGEST_PORT: ingestPort,
    DASHBOARD_PORT: dashboardPort,
    ADMIN_PORT: adminPort,
    INGEST_TOKENS: `main=${testToken}`,
  })
  let isTaken = false
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${ingestPort}/webhooks/${testToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(toBody('Created', 'never', monday)),
    }).catch(() => undefined)
    isTaken ||= answer?.status === 200
    return child.process.exitCode !== null
  })
  expect(isTaken).toBe(false)
  expect(child.process.exitCode).toBe(2)
  expect(child.output()).toContain('made by Rollcall 9.9.9, with a table file 99_of_a_later_version.sql')
  expect(child.output()).not.toMatch(/^\s+at /m)
  // So does whatever needs the store.
  const migrate = await runCli(['migrate'], { DATA_DIR: data })
  expect(migrate.code).not.toBe(0)
  expect(migrate.err + migrate.out).toContain('made by Rollcall 9.9.9')

  await inStore(`DELETE FROM rollcall.schema_migrations WHERE name = '99_of_a_later_version.sql'`)
  expect(await inStore(count)).toEqual([{ n: 3, difference: 0 }])
  await runWith(['d'], 4)
  expect(await inStore(count)).toEqual([{ n: 4, difference: 0 }])
})
