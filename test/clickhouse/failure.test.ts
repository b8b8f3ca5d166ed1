/** Every error that the engine could be made to give, and its kind: in this process, and over HTTP. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFailure, type Failure } from '../../services/clickhouse/errors/failure.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const secret = 'Ada Moreno'
/** As text, past everything of ours that mends it. */
const insertName = (json: string) =>
  `INSERT INTO rollcall.names (kind, id, name, last_seen) FORMAT JSONCompactEachRow ["team", "1", ${json}, 1]`
const insertBody = (id: string, body: string) =>
  `INSERT INTO rollcall.event_bodies (event_id, body_base64) FORMAT JSONCompactEachRow ["${id}", "${body}"]`
const someId = '00000000-0000-0000-0000-000000000000'

const provoked: [says: string, code: string, failure: Failure, ...statements: string[]][] = [
  ['half of a surrogate pair', '25', 'content', insertName(String.raw`"${secret} \ud800"`)],
  [
    'a date that is none',
    '41',
    'content',
    `INSERT INTO rollcall.names (last_seen) FORMAT JSONCompactEachRow ["${secret}"]`,
  ],
  ['an id that is none', '376', 'content', insertBody(secret, '')],
  ['bytes that are not base64', '117', 'content', insertBody(someId, `!${secret}`)],
  [
    'a row that a constraint forbids',
    '469',
    'content',
    `ALTER TABLE rollcall.names ADD CONSTRAINT nobody CHECK name != '${secret}'`,
    insertName(`"${secret}"`),
  ],
  [
    'a value that is not a number',
    '72',
    'content',
    `INSERT INTO rollcall.event_rows (grade) FORMAT JSONCompactEachRow ["${secret}"]`,
  ],
  [
    'values that are no JSON',
    '27',
    'content',
    `INSERT INTO rollcall.names (kind, id) FORMAT JSONCompactEachRow ["${secret}" "1"]`,
  ],
  ['too deep an expression', '306', 'unclear', `SELECT ${'('.repeat(3_000)}1${')'.repeat(3_000)}`],
  ['a statement that is none', '62', 'unclear', `SELEC '${secret}'`],
  [
    'too little memory',
    '241',
    'store',
    'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 1000000',
  ],
  [
    'too little time',
    '159',
    'unknown',
    'SELECT count() FROM numbers(1000000000000) SETTINGS max_execution_time = 0.1',
  ],
  ['a table that is missing', '60', 'store', 'SELECT 1 FROM rollcall.nothing'],
  ['a database that is missing', '81', 'store', 'SELECT 1 FROM nothing.nothing'],
  [
    'a column that is missing in a table',
    '16',
    'store',
    'INSERT INTO rollcall.names (nothing) FORMAT JSONCompactEachRow ["x"]',
  ],
  ['a column that is missing in a query', '47', 'store', 'SELECT nothing FROM rollcall.names'],
  ['a setting that is unknown', '115', 'store', 'SELECT 1 SETTINGS nothing = 1'],
  [
    'too many parts',
    '252',
    'not_executed',
    'CREATE TABLE rollcall.parts (n UInt8) ENGINE = MergeTree ORDER BY n SETTINGS parts_to_throw_insert = 1, parts_to_delay_insert = 0',
    'SYSTEM STOP MERGES rollcall.parts',
    ...Array.from({ length: 3 }, () => 'INSERT INTO rollcall.parts VALUES (1)'),
  ],
]

test.each(provoked)(
  'an error of the engine, %s, has code %s and is: %s',
  async (_, code, failure, ...statements) => {
    const error = await runAll(store.reader, statements)
    expect(error).toMatchObject({ code })
    expect(toFailure(error)).toBe(failure)
    expect(String(error)).not.toContain(secret)
  },
)

test.each<[string, Failure, RequestListener | undefined]>([
  ['nobody listens', 'not_executed', undefined],
  ['the connection breaks', 'unknown', (request) => request.socket.destroy()],
  ['no answer comes in time', 'unknown', () => {}],
  ['something else answers', 'unclear', (_, answer) => answer.writeHead(502).end(`<h1>${secret}</h1>`)],
])('an error of the way there, %s, is: %s', async (_, failure, listener) => {
  const server = createServer(listener ?? (() => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const error = await askAt(
    `http://127.0.0.1:${listener === undefined ? 1 : port}`,
    failure === 'unknown' ? 100 : 60_000,
  )
  expect(toFailure(error)).toBe(failure)
  server.closeAllConnections()
  server.close()
})

const socketError = (code: string) => Object.assign(new Error(code), { code })
test.each<[Error, Failure]>([
  ...['ENOSPC', 'EMFILE', 'PARTITION_LOST', 'PEOPLE_CONTENDED'].map((code): [Error, Failure] => [
    socketError(code),
    'store',
  ]),
  [socketError('999'), 'unknown'],
  [socketError('4242'), 'unclear'],
  [socketError('ECONNREFUSED'), 'not_executed'],
  [socketError('ECONNRESET'), 'unknown'],
  [new AggregateError([socketError('ECONNREFUSED'), socketError('EHOSTUNREACH')]), 'not_executed'],
  [new AggregateError([socketError('ECONNREFUSED'), socketError('ECONNRESET')]), 'unknown'],
  [new Error('socket hang up'), 'unknown'],
  [new Error('Timeout error.'), 'unknown'],
  [new Error('anything else'), 'unclear'],
])('%s is: %s', (error, failure) => {
  expect(toFailure(error)).toBe(failure)
})

async function runAll(client: ClickHouseClient, statements: string[]): Promise<unknown> {
  for (const query of statements) {
    try {
      await client.command({ query })
    } catch (error) {
      return error
    }
  }
  throw new Error('Nothing failed')
}

async function askAt(url: string, timeoutMs = 60_000): Promise<unknown> {
  const client = createClient({ url, request_timeout: timeoutMs, log: { level: ClickHouseLogLevel.OFF } })
  try {
    return await runAll(client, ['SELECT 1'])
  } finally {
    await client.close()
  }
}
