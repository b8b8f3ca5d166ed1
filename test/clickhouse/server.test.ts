import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrate, readSchemaFiles } from '../../services/clickhouse/migrate.ts'
import { openClickHouseServer } from '../../services/clickhouse/open-server.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { StartError } from '../../services/config/start-error.ts'
import { certificate } from '../support/network/certificate.ts'
import { image, openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'

const single = { server: { cluster: undefined } }

const server = await openTestClickHouse()
const clickhouse = await openClickHouseServer({ ...server, access: 'write' })
/** By three processes at the same time. */
const migrated = await Promise.all([1, 2, 3].map(() => migrate(clickhouse.writer, single)))
afterAll(async () => {
  await clickhouse.close()
  await server.stop()
})

async function rows(query: string, query_params: Record<string, unknown> = {}): Promise<unknown[]> {
  const answer = await clickhouse.reader.query({ query, query_params, format: 'JSONEachRow' })
  return answer.json()
}

describe('ClickHouse over HTTP', () => {
  test.skipIf(server.kind === 'given')('has the version of docker-compose.yml', async () => {
    const [row] = (await rows('SELECT version() AS version')) as { version: string }[]
    expect(row?.version).toMatch(new RegExp(`^${/:(\d+\.\d+)/.exec(image)?.[1]}\\.`))
  })

  test('takes the migrations, once, also when several processes start at the same time', async () => {
    const names = readSchemaFiles('migrations').map(({ name }) => name)
    expect(new Set(migrated.flatMap(({ applied }) => applied))).toEqual(new Set(names))
    expect(await migrate(clickhouse.writer, single)).toEqual({ applied: [], replaced: [] })
    expect(await rows('SELECT DISTINCT name FROM rollcall.schema_migrations ORDER BY name')).toHaveLength(
      names.length,
    )
  })

  test('gives the same views as the engine in this process', async () => {
    const consumer = createConsumer({ client: clickhouse.writer })
    const bodies = [
      toBody(
        'Created',
        'a',
        monday,
        { dueDate: monday + day },
        { groups: [{ id: 1, name: 'Nörd’s \t"Team"' }] },
      ),
      toBody('Completed', 'a', monday + 3 * day, {
        status: 'completed',
        isCompleted: true,
        completedAt: monday + 3 * day,
      }),
      toBody('Created', 'b', monday),
    ]
    const batch = toBatch(bodies.map((body, offset) => toRecord(body, offset)))
    await consumer.handle(batch)
    await consumer.handle(batch)
    expect(
      await rows(
        'SELECT assignment_id, effective_status, teams FROM rollcall.assignments ORDER BY assignment_id',
      ),
    ).toMatchObject([
      { assignment_id: 'a', effective_status: 'completed' },
      { assignment_id: 'b', effective_status: 'overdue' },
    ])
    expect(await rows('SELECT sum(sign) AS n FROM rollcall.open_versions')).toEqual([{ n: 2 }])
    expect(await consumer.resumeFrom(0)).toBe(3)
  })
})

test('a cluster that the server does not know is named in the refusal', async () => {
  const refused = migrate(clickhouse.writer, { server: { cluster: 'nowhere' } })
  await expect(refused).rejects.toThrow('ClickHouse knows no cluster nowhere')
})

describe('openClickHouseServer', () => {
  test('says what to do when nothing answers', async () => {
    const opened = openClickHouseServer({
      ...server,
      url: 'http://127.0.0.1:1',
      access: 'read',
      startTimeoutMs: 300,
    })
    await expect(opened).rejects.toThrow(StartError)
    await expect(opened).rejects.toThrow('ECONNREFUSED')
  })

  test('names CLICKHOUSE_CA_PATH when the certificate is not trusted', async () => {
    const signed = createServer(certificate, (_, response) => response.end()).listen(0, '127.0.0.1')
    await once(signed, 'listening')
    onTestFinished(() => void signed.close())
    const { port } = signed.address() as AddressInfo
    const opened = openClickHouseServer({ ...server, url: `https://localhost:${port}`, access: 'read' })
    await expect(opened).rejects.toThrow(/not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*CLICKHOUSE_CA_PATH/)
  })

  test('waits for a server that is still starting', async () => {
    if (server.kind === 'given') return
    await server.kill()
    const opened = openClickHouseServer({ ...server, access: 'read', startTimeoutMs: 600_000 })
    await server.start()
    const late = await opened
    await late.close()
    expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})
