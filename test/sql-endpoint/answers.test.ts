/** Answers on their way from the SQL process to a reader. */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess } from '../../services/sql-endpoint/process/open-sql-process.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { openTestStore } from '../support/store/store.ts'

const limits = {
  maxExecutionSeconds: 600,
  maxMemoryBytes: 2 ** 29,
  maxResultRows: 1_000_000,
  maxResultBytes: 2 ** 27,
}
const store = await openTestStore()
const directory = mkdtempSync(join(tmpdir(), 'rollcall-answers-'))
const engine = openSqlProcess({ client: store.reader, directory, views: [], limits })
const handler = openSqlEndpoint({ engine, people: true })
const server = await listen({ handler, host: '127.0.0.1', port: 0, portVariable: 'the port' })
afterAll(async () => {
  await server.close(0)
  await engine.close()
  await store.close()
})

const ask = (sql: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/?${new URLSearchParams({ query: sql, ...more }).toString()}`, { headers })

test.each([
  [
    'an error in a late row',
    '153',
    'SELECT intDiv(1, toInt64(number) - 899999) FROM numbers(900000) FORMAT JSON',
  ],
  [
    'an answer that is larger than the limit only in its format',
    '396',
    `SELECT repeat('\\x01', 1000) FROM numbers(30000) FORMAT JSONEachRow`,
  ],
])('returns status 500 for %s', async (_, code, sql) => {
  const answer = await ask(sql)
  expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([500, code])
})

test('a large answer arrives whole, packed or not', async () => {
  const expected = createHash('sha256')
  for (let n = 0; n < 300_000; n++) expected.update(`${n}\n`)
  const digest = expected.digest('hex')
  for (const encoding of [undefined, 'gzip']) {
    const headers = { 'accept-encoding': encoding ?? 'identity' }
    const answer = await ask('SELECT number FROM numbers(300000)', {}, headers)
    expect(answer.headers.get('content-encoding') ?? undefined).toBe(encoding)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
  }
})

test('Native blocks of many megabytes reach a client that names a protocol version', async () => {
  const sql =
    "SELECT number, repeat('x', 900000) AS a, repeat('y', 900000) AS b, 'end' AS last FROM numbers(3) FORMAT Native"
  const read = async (version: string) =>
    Buffer.from(await (await ask(sql, { client_protocol_version: version })).arrayBuffer())
  const [plain, named] = [await read('0'), await read('54460')]
  expect(named.length).toBe(plain.length + 8 + 4)
  expect(named.subarray(-25).toString('latin1')).toBe('\x04last\x06String\0\x03end\x03end\x03end')
})
