/**
 * Real clients at the root of SQL_PORT, with a token as the password: what docs/sql.md says of them. They are installed for
 * the run, from PyPI and Maven, so this needs python3 with venv, Java 17 and Maven, and the network.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallCompany } from '../model/by-hand/small-company.ts'
import { runCli } from '../support/processes/cli.ts'
import { deliver, startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { openPython } from '../support/processes/python.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { fileDirectory } from '../support/directories.ts'

const clients = join(import.meta.dirname, 'clients')
const run = promisify(execFile)

const directory = fileDirectory()
/** The programs of Python. */
let bin: string
let embedded: Embedded
const env: Record<string, string | undefined> = { ...process.env, DBT_SEND_ANONYMOUS_USAGE_STATS: 'false' }
/** The counts of the pages. */
const counted: { assigned: number; overdue: number } = { assigned: 0, overdue: 0 }

beforeAll(async () => {
  // Newer dbt-core downloads a parser from elsewhere.
  const dbt = isComplete ? ['dbt-clickhouse==1.10.3', 'dbt-core==1.10.23'] : []
  bin = await openPython(directory, 'clickhouse-connect==1.12.0', ...dbt)
  const [sqlPort] = (await findFreePorts(1)).map(String)
  const data = join(directory, 'data')
  embedded = await startEmbedded(data, { SQL_PORT: sqlPort ?? '', DASHBOARD_AUTH: 'password' })
  const { out, err } = await runCli(['token', 'create', 'tools', '--role', 'analyst'], { DATA_DIR: data })
  const token = /rollcall_\S+/.exec(out)?.[0]
  if (token === undefined) throw new Error(`There is no token:\n${out}${err}`)
  Object.assign(env, { SQL_PORT: sqlPort, TOKEN: token })
  for (const { body } of smallCompany) {
    expect((await deliver(embedded.ingestUrl, body)).status).toBe(200)
  }
  await until(async () => {
    const answer = await fetch(`${embedded.dashboardUrl}/api/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    })
    // Dashboards hear of the token within seconds.
    if (!answer.ok) return false
    const { metrics } = (await answer.json()) as {
      metrics: Record<'assigned' | 'overdue', { value: number }>
    }
    Object.assign(counted, { assigned: metrics.assigned.value, overdue: metrics.overdue.value })
    return counted.assigned === 9
  })
})
afterAll(async () => {
  await embedded?.stop()
})

async function fetchJar(group: string, name: string, version: string, classifier = ''): Promise<string> {
  const file = [name, version, ...(classifier === '' ? [] : [classifier])].join('-')
  const jar = join(homedir(), '.m2/repository', ...group.split('.'), name, version, `${file}.jar`)
  const artifact = [group, name, version, 'jar', ...(classifier === '' ? [] : [classifier])].join(':')
  if (!existsSync(jar))
    await run('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'])
  return jar
}

test('@clickhouse/client', async () => {
  const client = createClient({
    url: `http://127.0.0.1:${env.SQL_PORT}`,
    username: 'any',
    password: env.TOKEN ?? '',
    database: 'rollcall',
  })
  const query = 'SELECT toUInt32(count()) AS assigned, toUInt32(countIf(overdue)) AS overdue FROM assignments'
  expect(await (await client.query({ query, format: 'JSONEachRow' })).json()).toEqual([counted])
  await client.close()
})

test('clickhouse-connect', async () => {
  const { stdout } = await run(join(bin, 'python'), [join(clients, 'ask.py')], { env })
  expect(JSON.parse(stdout)).toEqual({
    ...counted,
    values: ['2026-01-02', [1, 2], { a: 1 }, null, 'b'],
    refused: true,
  })
})

test('the JDBC driver', async () => {
  const jars = [
    await fetchJar('com.clickhouse', 'clickhouse-jdbc', '0.9.9', 'all'),
    await fetchJar('org.slf4j', 'slf4j-api', '2.0.17'),
  ]
  const { stdout } = await run('java', ['-cp', jars.join(':'), join(clients, 'Ask.java')], { env })
  expect(JSON.parse(stdout)).toEqual({
    ...counted,
    values: ['2026-01-02T03:04:05Z'],
    tables: ['assignments', 'assignments_all', 'assignments_all_as_of', 'assignments_as_of'],
    refused: true,
  })
})

test.runIf(isComplete)('dbt: a source, an ephemeral model and tests over them', async () => {
  const project = join(directory, 'dbt')
  cpSync(join(clients, 'dbt'), project, { recursive: true })
  const dbt = (...words: string[]) =>
    run(join(bin, 'dbt'), ['--no-use-colors', 'test', '--profiles-dir', '.', ...words], {
      env,
      cwd: project,
    }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    )
  expect(await dbt('--exclude', 'nothing_is_overdue')).toContain('PASS=3 WARN=0 ERROR=0')
  expect(await dbt('--select', 'nothing_is_overdue')).toContain(
    `Got ${counted.overdue} results, configured to fail`,
  )
})
