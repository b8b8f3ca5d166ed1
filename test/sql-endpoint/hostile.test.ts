import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseSyntaxTree } from '../../services/sql-endpoint/check-syntax.ts'
import { hostile } from './hostile-statements.ts'
import { openTestEndpoint } from './endpoint.ts'

const endpoint = await openTestEndpoint()
const before = await readAll()
afterAll(() => endpoint.close())

const openAnalyst = () =>
  endpoint.clickhouse.openAnalyst({
    maxExecutionSeconds: 60,
    maxMemoryBytes: 1e8,
    maxResultRows: 100_000,
    maxResultBytes: 1e8,
  })

/** Every table with its rows, as the writer sees it. */
async function readAll(): Promise<unknown> {
  const answer = await endpoint.clickhouse.writer.query({
    query: `SELECT database, name, engine, total_rows FROM system.tables WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY ALL`,
    format: 'JSONEachRow',
  })
  return answer.json()
}

describe('the SQL endpoint', () => {
  test('looks for the names of functions in functions only: in a long text that looks like one it would take a minute', () => {
    const [literal, own] = parseSyntaxTree([
      `Literal '${'(alias '.repeat(1_000)}x)`,
      'Function plus (alias sum) (children 1)',
    ])
    expect([literal?.alias, own?.alias]).toEqual(['', 'sum'])
  })

  describe.each(hostile)('refuses $aim', ({ statements, codes }) => {
    test.each(statements)('%s', async (statement) => {
      const sql = statement.replaceAll('$DIR', endpoint.directory)
      const { status, text, headers } = await endpoint.ask(sql, {
        param_t: 'user_versions',
      })
      expect(status, text).toBeGreaterThanOrEqual(400)
      expect(codes, text).toContain(headers.get('x-clickhouse-exception-code'))
      expect(text).not.toMatch(/top secret|Ada Moreno|example\.com/)
    })
  })

  test('has changed and written nothing after all that', async () => {
    expect(await readAll()).toEqual(before)
    const left = readdirSync(endpoint.directory).filter((name) => !/^store\.(lock|pid)/.test(name))
    expect(left.sort()).toEqual(['secret.csv', 'store'])
    expect(existsSync(join(endpoint.directory, 'out.csv'))).toBe(false)
    const { text } = await endpoint.ask(`SELECT value FROM system.settings WHERE name = 'readonly'`)
    expect(text).toBe('1\n')
    expect((await endpoint.ask('SELECT currentDatabase()')).text).toBe('rollcall\n')
  })
})

describe('the layers below the syntax', () => {
  // The connection itself refuses these.
  test.each([
    `INSERT INTO rollcall.settings VALUES ('x', 'y', 0)`,
    'DROP TABLE rollcall.event_rows',
    'CREATE TEMPORARY TABLE x (a UInt8)',
    'SET readonly = 0',
    'SET max_execution_time = 0',
    'SELECT 1 SETTINGS max_threads = 8',
    `SELECT * FROM file('/etc/passwd', 'LineAsString')`,
    `SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')`,
    `SELECT * FROM remote('127.0.0.1:1', 'system', 'one')`,
    `SELECT * FROM executable('id', 'TSV', 'a String')`,
    'SYSTEM FLUSH LOGS',
  ])('%s', async (query) => {
    await expect((await openAnalyst()).exec({ query })).rejects.toMatchObject({ code: '164' })
  })
})
