/** Every error that the engine could be made to give, and its kind: in this process, and over HTTP. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const provoked: { says: string; code: string; failure: Failure; statements: string[] }[] = [
  {
    says: 'half of a surrogate pair',
    code: '25',
    failure: 'content',
    statements: [insertName(String.raw`"${secret} \ud800"`)],
  },
  {
    says: 'a date that is none',
    code: '41',
    failure: 'content',
    statements: [`INSERT INTO rollcall.names (last_seen) FORMAT JSONCompactEachRow ["${secret}"]`],
  },
  { says: 'an id that is none', code: '376', failure: 'content', statements: [insertBody(secret, '')] },
  {
    says: 'bytes that are not base64',
    code: '117',
    failure: 'content',
    statements: [insertBody(someId, `!${secret}`)],
  },
  {
    says: 'a row that a constraint forbids',
    code: '469',
    failure: 'content',
    statements: [
      `ALTER TABLE rollcall.names ADD CONSTRAINT nobody CHECK name != '${secret}'`,
      insertName(`"${secret}"`),
    ],
  },
  {
    says: 'a value that is not a number',
    code: '72',
    failure: 'content',
    statements: [`INSERT INTO rollcall.event_rows (grade) FORMAT JSONCompactEachRow ["${secret}"]`],
  },
  {
    says: 'values that are no JSON',
    code: '27',
    failure: 'content',
    statements: [`INSERT INTO rollcall.names (kind, id) FORMAT JSONCompactEachRow ["${secret}" "1"]`],
  },
  {
    says: 'too deep an expression',
    code: '306',
    failure: 'unclear',
    statements: [`SELECT ${'('.repeat(3_000)}1${')'.repeat(3_000)}`],
  },
  { says: 'a statement that is none', code: '62', failure: 'unclear', statements: [`SELEC '${secret}'`] },
  {
    says: 'too little memory',
    code: '241',
    failure: 'store',
    statements: ['SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 1000000'],
  },
  {
    says: 'too little time',
    code: '159',
    failure: 'unknown',
    statements: ['SELECT count() FROM numbers(1000000000000) SETTINGS max_execution_time = 0.1'],
  },
  {
    says: 'a table that is missing',
    code: '60',
    failure: 'store',
    statements: ['SELECT 1 FROM rollcall.nothing'],
  },
  {
    says: 'a database that is missing',
    code: '81',
    failure: 'store',
    statements: ['SELECT 1 FROM nothing.nothing'],
  },
  {
    says: 'a column that is missing in a table',
    code: '16',
    failure: 'store',
    statements: ['INSERT INTO rollcall.names (nothing) FORMAT JSONCompactEachRow ["x"]'],
  },
  {
    says: 'a column that is missing in a query',
    code: '47',
    failure: 'store',
    statements: ['SELECT nothing FROM rollcall.names'],
  },
  {
    says: 'a setting that is unknown',
    code: '115',
    failure: 'store',
    statements: ['SELECT 1 SETTINGS nothing = 1'],
  },
  {
    says: 'too many parts',
    code: '252',
    failure: 'not_executed',
    statements: [
      'CREATE TABLE rollcall.parts (n UInt8) ENGINE = MergeTree ORDER BY n SETTINGS parts_to_throw_insert = 1, parts_to_delay_insert = 0',
      'SYSTEM STOP MERGES rollcall.parts',
      ...Array.from({ length: 3 }, () => 'INSERT INTO rollcall.parts VALUES (1)'),
    ],
  },
]

describe('an error of the engine', () => {
  for (const { says, code, failure, statements } of provoked) {
    test(`${says}: ${failure}`, async () => {
      const error = await runAll(store.reader, statements)
      expect(error).toMatchObject({ code })
      expect(toFailure(error)).toBe(failure)
      expect(String(error)).not.toContain(secret)
    })
  }

  test('only reading is allowed: store', async () => {
    const error = await runAll(store.reader, [
      'SELECT 1',
      'INSERT INTO rollcall.names (kind) SELECT 1 SETTINGS readonly = 1',
    ])
    expect(['READONLY', 'UNKNOWN_SETTING']).toContain((error as { type?: string }).type)
    expect(toFailure(error)).toBe('store')
  })
})

describe('an error of the way there', () => {
  test('nobody listens: not executed', async () => {
    expect(toFailure(await askAt('http://127.0.0.1:1'))).toBe('not_executed')
  })

  test('the connection breaks: unknown', async () => {
    const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    expect(toFailure(await askAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))).toBe(
      'unknown',
    )
    server.close()
  })

  test('no answer comes in time: unknown', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    expect(toFailure(await askAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 100))).toBe(
      'unknown',
    )
    server.closeAllConnections()
    server.close()
  })

  test('something else answers: unclear', async () => {
    const server = createServer((_, answer) => answer.writeHead(502).end(`<h1>${secret}</h1>`)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const error = await askAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(toFailure(error)).toBe('unclear')
    server.close()
  })
})

test.each([
  ['ENOSPC', 'store'],
  ['EMFILE', 'store'],
  ['PARTITION_LOST', 'store'],
  ['PEOPLE_CONTENDED', 'store'],
  ['999', 'unknown'],
  ['4242', 'unclear'],
])('an error with the code %s is taken for: %s', (code, failure) => {
  expect(toFailure(Object.assign(new Error(secret), { code }))).toBe(failure)
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
