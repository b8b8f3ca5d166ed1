import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractViews, viewsWithParameters } from '../../schemas/clickhouse/contract.ts'
import { migrate, readSchemaFiles, toStatements } from '../../services/clickhouse/migrate.ts'
import { openClickHouseServer } from '../../services/clickhouse/open-server.ts'
import { createRoles, toRoleStatement } from '../../services/clickhouse/roles.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'

const server = await openTestClickHouse()
const clickhouse = await openClickHouseServer({ ...server, access: 'write' })
afterAll(async () => {
  await clickhouse.close()
  await server.stop()
})

const files = readSchemaFiles('users')
const statements = files.flatMap(({ name, sql }) =>
  toStatements(sql).map((statement) => ({ name, sql: statement })),
)

const root = join(import.meta.dirname, '../..')
/** The product's own text, in which statements stand. */
function readSources(folders: string[]): string[] {
  const files = folders.map((folder) => join(root, folder, '**/*.{ts,sql}'))
  return globSync(files).map((file) => readFileSync(file, 'utf8'))
}

async function format(sql: string): Promise<string> {
  const answer = await clickhouse.reader.query({
    query: 'SELECT formatQuery({sql:String}) AS sql',
    query_params: { sql },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ sql: string }>()
  return row?.sql ?? ''
}

describe('the roles', () => {
  test.each(statements)('each statement of $name is one of the engine, on a cluster too', async ({ sql }) => {
    const plain = await format(sql)
    const onCluster = await format(toRoleStatement(sql, { cluster: 'main' }))
    expect(onCluster).toContain(' ON CLUSTER main')
    expect(onCluster.replace(' ON CLUSTER main', '')).toBe(plain)
  })

  test('analysts may read the contract’s views but for people, and nothing else', () => {
    const grants = statements.filter(({ sql }) => /\bTO rollcall_analyst$/m.test(sql))
    expect(grants.map(({ name }) => name)).toEqual(['analyst.sql'])
    const granted = grants.flatMap(({ sql }) =>
      [...sql.matchAll(/SELECT ON rollcall\.(\w+)/g)].map((match) => match[1]),
    )
    expect(new Set(granted), 'a view of the contract belongs into analyst.sql').toEqual(
      new Set(contractViews.filter((view) => view !== 'people')),
    )
  })

  test('no role has rights outside of rollcall, except the system tables that the writer and the dashboards read', async () => {
    const others = new Set<string>()
    for (const { name, sql } of statements.filter((statement) => statement.sql.includes('GRANT'))) {
      for (const [, database] of (await format(sql)).matchAll(/ ON ([\w*]+)\./g)) {
        if (database !== 'rollcall') others.add(`${name} ${database}`)
      }
    }
    expect([...others].sort()).toEqual(['dashboards.sql system', 'writer.sql *', 'writer.sql system'])
  })

  // What services ask of an engine in the process needs no right.
  const onServer = readdirSync(join(root, 'services')).filter(
    (room) => !['repair', 'sql-endpoint'].includes(room),
  )
  test.each([
    ['writer.sql', onServer.map((room) => `services/${room}`)],
    ['dashboards.sql', ['reporting', 'dashboards', 'digest']],
  ])('%s grants every system table that is asked', (file, folders) => {
    // ClickHouse lets everybody read these, of what they may see.
    const open = ['tables', 'columns', 'databases', 'time_zones']
    const sql = files.find(({ name }) => name === file)?.sql ?? ''
    const granted = [...open, ...[...sql.matchAll(/ON system\.(\w+)/g)].map((match) => match[1])]
    const asked = readSources(folders).flatMap((source) =>
      [...source.matchAll(/FROM system\.(\w+)/g)].map((match) => match[1]),
    )
    expect(asked).toContain('parts')
    expect(asked.filter((table) => !granted.includes(table))).toEqual([])
  })
})

// The engine in this process has no users: only a server can show that the rights hold.
describe.skipIf(server.kind === 'chdb')('on a server', () => {
  const password = 'Test-0f2a-9c1b'
  const clients: ClickHouseClient[] = []
  const connect = (username: string) => {
    const client = createClient({ url: server.url, username, password })
    clients.push(client)
    return client
  }

  beforeAll(async () => {
    const { writer } = clickhouse
    await migrate(writer, { server: { cluster: undefined } })
    await createRoles(writer, { cluster: undefined })
    await createRoles(writer, { cluster: undefined })
    for (const [user, roles] of [
      ['test_writer', 'rollcall_writer'],
      ['test_dashboards', 'rollcall_dashboards'],
      ['test_analyst', 'rollcall_analyst'],
      ['test_people', 'rollcall_analyst, rollcall_people'],
    ]) {
      await writer.command({ query: `CREATE USER OR REPLACE ${user} IDENTIFIED BY '${password}'` })
      await writer.command({ query: `GRANT ${roles} TO ${user}` })
      await writer.command({ query: `SET DEFAULT ROLE ALL TO ${user}` })
    }
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    await clickhouse.writer.command({
      query: 'DROP USER IF EXISTS test_writer, test_dashboards, test_analyst, test_people',
    })
  })

  test('an analyst reads the views, and nothing behind them', async () => {
    const analyst = connect('test_analyst')
    for (const view of contractViews.filter(
      (name) => name !== 'people' && !viewsWithParameters.includes(name),
    )) {
      await (
        await analyst.query({ query: `SELECT * FROM rollcall.${view} LIMIT 1`, format: 'JSONEachRow' })
      ).json()
    }
    const asOf = `rollcall.assignments_as_of(as_of = now64(3), due_zone = 'UTC', due_end = 'instant', due_soon_days = 7)`
    await (await analyst.query({ query: `SELECT count() FROM ${asOf}`, format: 'JSONEachRow' })).json()
    for (const table of ['people', 'user_versions', 'event_rows', 'event_bodies', 'settings']) {
      await expect(analyst.query({ query: `SELECT * FROM rollcall.${table}` }), table).rejects.toMatchObject({
        code: '497',
      })
    }
    await expect(
      analyst.query({ query: `SELECT * FROM url('http://127.0.0.1/', 'LineAsString')` }),
    ).rejects.toThrow()
    await expect(analyst.command({ query: 'SET readonly = 0' })).rejects.toMatchObject({ code: '164' })
  })

  test('names are for those who have the role', async () => {
    await (
      await connect('test_people').query({ query: 'SELECT * FROM rollcall.people', format: 'JSONEachRow' })
    ).json()
  })

  test('the writer’s rights are enough to migrate, those of the dashboards to start, and not to write', async () => {
    const writer = await openClickHouseServer({
      url: server.url,
      username: 'test_writer',
      password,
      access: 'write',
    })
    expect(await migrate(writer.writer, { server: { cluster: undefined } })).toEqual({
      applied: [],
      replaced: [],
    })
    await writer.close()
    const dashboards = await openClickHouseServer({
      url: server.url,
      username: 'test_dashboards',
      password,
      access: 'read',
    })
    await expect(dashboards.reader.command({ query: 'TRUNCATE TABLE rollcall.names' })).rejects.toThrow()
    await expect(
      dashboards.reader.query({ query: 'SELECT * FROM rollcall.event_bodies' }),
    ).rejects.toMatchObject({
      code: '497',
    })
    await dashboards.close()
  })
})
