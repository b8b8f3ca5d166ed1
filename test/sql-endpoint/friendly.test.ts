import { gzipSync } from 'node:zlib'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, describe, expect, test } from 'vitest'
import {
  answerInTurn,
  createSqlSignpost,
  mostWaiting,
  openSqlEndpoint,
  type StatementEngine,
} from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { toEngine } from '../support/store/analyst-engine.ts'
import { limits, openTestEndpoint } from './endpoint.ts'
import { until } from '../support/wait.ts'

const endpoint = await openTestEndpoint()
const server = await listen({ handler: endpoint.app, host: '127.0.0.1', port: 0, portVariable: 'the port' })
const client = createClient({
  url: server.url,
  compression: { response: true },
  log: { level: ClickHouseLogLevel.OFF },
})
afterAll(async () => {
  await client.close()
  await server.close(100)
  await endpoint.close()
})

/** Statement and its answer, as tab-separated text. */
const friendly: [statement: string, answer: string | RegExp][] = [
  ['SELECT 1', '1\n'],
  ['SELECT 1 FORMAT Null', ''],
  ['WITH (x -> x + 1) AS next SELECT next(2), arrayMap(y -> next(y), [1, 2])', '3\t[2,3]\n'],
  [
    "SELECT part.name FROM (SELECT CAST([('a', 1)], 'Array(Tuple(name String, n UInt8))') AS parts) ARRAY JOIN parts AS part",
    'a\n',
  ],
  ['-- a comment\nSELECT 1 /* and one more */', '1\n'],
  ['SELECT version(), timezone()', /^\d+\.\d+/],
  ['SELECT count() FROM assignments', '2\n'],
  ['FROM assignments SELECT count()', '2\n'],
  ['SELECT * EXCEPT (teams) FROM users ORDER BY user_id LIMIT 1', /^7\t/],
  ['SELECT quantileExactIf(0.5)(life, completed), uniqExact(user_id) FROM assignments', '1\t2\n'],
  [
    'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT sum(n) FROM t',
    '6\n',
  ],
  [
    `SELECT count() FROM assignments_as_of(as_of = '2026-01-05 12:00:00', due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)`,
    '2\n',
  ],
  [
    'SELECT toStartOfWeek(event_time, 1) AS week, uniqExact(event_id) FROM events GROUP BY week ORDER BY week',
    /2026-01-05\t3/,
  ],
  ['SELECT given, difference FROM ledger_total', '3\t0\n'],
  ["SELECT arrayMap(x -> upper(x), ['a']), arrayMap(upper, ['b'])", `['A']\t['B']\n`],
  [
    'SELECT lagInFrame(n) OVER w FROM (SELECT number AS n FROM numbers(2)) WINDOW w AS (ORDER BY n)',
    '0\n0\n',
  ],
  ['SELECT 1 AS "a name, with FROM and FORMAT JSON"', '1\n'],
  [
    'SELECT CASE WHEN completed THEN 1 ELSE 0 END AS c, CAST(c AS String), c::Float64 FROM assignments ORDER BY c',
    '0\t0\t0\n1\t1\t1\n',
  ],
  [
    `SELECT name, type, comment FROM system.columns WHERE database = 'rollcall' AND table = 'users' AND name = 'user_id'`,
    /^user_id\tString\t./,
  ],
  ['SELECT name, value, readonly FROM system.settings LIMIT 10000', /readonly\t1\t1/],
  [
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'rollcall' AND table_name = 'events'",
    'events\n',
  ],
  ['DESCRIBE TABLE users', /^user_id\tString/],
  ['SELECT finalizeAggregation(sumState(number) + sumState(number)) FROM numbers(4)', '12\n'],
  [`SELECT finalizeAggregation(arrayReduce('sumState', [1, 2]))`, '3\n'],
  ['SELECT sumMerge(s) FROM (SELECT sumState(number) AS s FROM numbers(4) GROUP BY number % 2)', '6\n'],
  ['SELECT bitmapToArray(bitmapAnd(bitmapBuild([1, 2]), bitmapBuild([2, 3])))', '[2]\n'],
  ['SELECT sumMerge(s) OVER () FROM (SELECT sumState(number) AS s FROM numbers(4))', '6\n'],
  // Statements that Grafana's data source sends by itself.
  ['SELECT displayName(), version(), revision(), timezone()', /\t\d{5}\t/],
  ['SELECT database, name FROM system.tables ORDER BY database, name', /rollcall\tassignments\n/],
  [
    `SELECT database, table, name, type, comment FROM system.columns WHERE (database, table) IN (('rollcall', 'users')) ORDER BY database, table, position`,
    /^rollcall\tusers\tuser_id\tString\t/,
  ],
  ['SHOW TABLES FROM rollcall', /assignments\n/],
  // dbt asks this before anything else.
  ['EXISTS DATABASE `rollcall`', '1\n'],
  // The format of the ODBC driver.
  ['SELECT 1 AS one FORMAT ODBCDriver2', /one/],
]

describe('the SQL endpoint answers', () => {
  test.each(friendly)('%s', async (statement, answer) => {
    const { status, text } = await endpoint.ask(statement)
    if (typeof answer === 'string') expect(text).toBe(answer)
    else expect(text).toMatch(answer)
    expect(status).toBe(200)
  })

  test('uses the format of the statement, else the one of the request', async () => {
    const named = await endpoint.ask('SELECT 1 AS one FORMAT JSONEachRow', { default_format: 'CSV' })
    expect(named.text).toBe('{"one":1}\n')
    expect(named.headers.get('x-clickhouse-format')).toBe('JSONEachRow')
    expect((await endpoint.ask(`SELECT 'a'`, { default_format: 'CSV' })).text).toBe('"a"\n')
    expect((await endpoint.ask('SELECT 1 FORMAT Native')).text).toContain('UInt8')
    // The JDBC driver says so with every statement.
    expect((await endpoint.ask('SELECT 1', { async_insert: '0' })).text).toBe('1\n')
  })

  test('takes parameters with any content', async () => {
    const hostile = `'); DROP TABLE x; -- \\' \\\\ \n \t \` " ü {b:String}`
    const answer = await client.query({
      query:
        'SELECT {a:String} AS a, {b:Array(String)} AS b, {n:UInt8} + 1 AS n, {t:DateTime64(3)} AS t, {x:Nullable(String)} AS x',
      query_params: { a: hostile, b: [hostile, 'y'], n: 1, t: new Date(Date.UTC(2026, 0, 5)), x: null },
      format: 'JSONEachRow',
    })
    expect(await answer.json()).toEqual([
      { a: hostile, b: [hostile, 'y'], n: 2, t: '2026-01-05 00:00:00.000', x: null },
    ])
    const missing = await endpoint.ask('SELECT {a:String}')
    expect(missing.headers.get('x-clickhouse-exception-code')).toBe('456')
  })

  test('GET, compressed requests and forms', async () => {
    const get = await fetch(
      `${server.url}/?query=${encodeURIComponent('SELECT {n:UInt8} FORMAT CSV')}&param_n=3`,
    )
    expect(await get.text()).toBe('3\n')
    const packed = await fetch(server.url, {
      method: 'POST',
      body: gzipSync('SELECT 4'),
      headers: { 'content-encoding': 'gzip' },
    })
    expect(await packed.text()).toBe('4\n')
    const form = new FormData()
    form.set('query', 'SELECT {n:UInt8}')
    form.set('param_n', '5')
    expect(await (await fetch(server.url, { method: 'POST', body: form })).text()).toBe('5\n')
  })
})

test('a statement whose client has left while it waited does not run', async () => {
  let [asked, run] = [0, 0]
  const first = Promise.withResolvers<void>()
  const inner = toEngine(await endpoint.clickhouse.openAnalyst(limits))
  const queue = answerInTurn(async (request) => {
    await first.promise
    run++
    return inner.answer(request, AbortSignal.any([]))
  })
  const engine: StatementEngine = {
    answer: (...given) => {
      asked++
      return queue.answer(...given)
    },
  }
  const app = openSqlEndpoint({ engine, people: false })
  const own = await listen({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'the port' })
  const tab = new AbortController()
  const running = fetch(`${own.url}/?query=SELECT+1`)
  await until(() => asked === 1)
  const left = fetch(`${own.url}/?query=SELECT+2`, { signal: tab.signal })
  await until(() => asked === 2)
  tab.abort()
  await expect(left).rejects.toThrow()
  const next = fetch(`${own.url}/?query=SELECT+3`)
  await until(() => asked === 3)
  first.resolve()
  expect([await (await running).text(), await (await next).text(), run]).toEqual(['1\n', '3\n', 2])
  await own.close(100)
})

test('the SQL endpoint keeps to its limit of time, also where a statement asks for more, while the dashboards go on reading', async () => {
  const impatient = await endpoint.openImpatient()
  const endless = 'SELECT count() FROM numbers(1000000000000)'
  let ended = 0
  const heavy = [endless, `${endless} SETTINGS max_execution_time = 60`].map((sql) =>
    impatient.ask(sql).finally(() => ended++),
  )
  const rows = await endpoint.clickhouse.reader.query({
    query: 'SELECT {n:UInt8} AS n, count() FROM rollcall.assignments',
    query_params: { n: 1 },
    format: 'JSONEachRow',
  })
  await rows.json()
  expect(ended).toBeLessThan(heavy.length)
  const answers = await Promise.all(heavy)
  for (const { headers } of answers) expect(headers.get('x-clickhouse-exception-code')).toBe('159')
  expect(answers[1]?.text).toContain('maximum: 2000 ms')
})

describe('the SQL endpoint keeps to its limits', () => {
  test.each([
    ['of memory', '241', 'SELECT length(groupArray(repeat(toString(number), 100))) FROM numbers(10000000)'],
    ['of rows', '396', 'SELECT number FROM numbers(10001)'],
    ['of bytes', '396', 'SELECT repeat(toString(number), 5000) FROM numbers(2000)'],
  ])('%s', async (_, code, sql) => {
    expect((await endpoint.ask(sql)).headers.get('x-clickhouse-exception-code')).toBe(code)
  })

  test('of the statement, packed or not', async () => {
    const packed = await endpoint.app.request('/', {
      method: 'POST',
      body: gzipSync(`SELECT '${'x'.repeat(2_000_000)}'`),
      headers: { 'content-encoding': 'gzip' },
    })
    expect([packed.status, await packed.text()]).toEqual([400, expect.stringContaining('1048576 bytes')])
  })

  test.each(["\\'", '/*', '{a:', ' '])(
    'of work for us: a statement of nothing but %j takes one pass',
    async (piece) => {
      // Anything but one pass over a million bytes would not end.
      const { status } = await endpoint.ask(`SELECT {a:${piece.repeat(1_000_000 / piece.length)}\\`)
      expect(status).toBeGreaterThanOrEqual(400)
    },
  )

  test('of statements that wait: others get status 503', async () => {
    const many = await Promise.all(Array.from({ length: mostWaiting + 6 }, () => endpoint.ask('SELECT 1')))
    expect(many.filter(({ status }) => status === 503)).toHaveLength(5)
    expect((await endpoint.ask('SELECT 1')).text).toBe('1\n')
  })
})

describe('the SQL endpoint and browsers', () => {
  test.each<[string, Record<string, string>, number]>([
    [
      'runs nothing for another site’s form',
      { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
      403,
    ],
    ['runs nothing for another port of this machine', { 'sec-fetch-site': 'same-site' }, 403],
    ['runs nothing for a foreign origin', { origin: 'https://evil.example' }, 403],
    ['runs nothing for no origin at all that is one', { origin: 'null' }, 403],
    ['answers its own pages', { 'sec-fetch-site': 'same-origin' }, 200],
    ['answers tools, which say nothing', {}, 200],
  ])('%s', async (_, headers, status) => {
    for (const method of ['GET', 'POST']) {
      const answer = await endpoint.app.request('http://127.0.0.1/?query=SELECT%201', { method, headers })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

test('on servers it says where to ask instead', async () => {
  const answer = await createSqlSignpost('on_servers').request('/?query=SELECT%201', { method: 'POST' })
  expect(answer.status).toBe(501)
  expect(await answer.text()).toContain('point your tool at them')
})

async function askNative(sql: string, protocolVersion: number): Promise<Buffer> {
  const parameters = new URLSearchParams({
    default_format: 'Native',
    client_protocol_version: String(protocolVersion),
  })
  const answer = await endpoint.app.request(`/?${parameters.toString()}`, { method: 'POST', body: sql })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(bytes.toString())
  return bytes
}

const blockInfoBytes = 8

test.each([
  'number',
  `toUInt8(1), toInt16(2), toUInt32(3), toInt64(4), toUInt128(5), toInt256(6)`,
  `1.5::Float32, 1.5, true, NULL, toNullable(1), nullIf(number, 1)`,
  `today(), toDate32('2026-01-05'), now(), now64(3, 'Europe/Berlin'), INTERVAL 1 DAY`,
  `'', repeat('x', 200), toFixedString('abc', 5), toLowCardinality('low')`,
  `toDecimal32(1, 2), toDecimal64(1, 2), toDecimal128(1, 2), toDecimal256(1, 2)`,
  `toUUID('00000000-0000-0000-0000-000000000001'), toIPv4('127.0.0.1'), toIPv6('::1')`,
  `[], [1, 2], [[1], [], [2, 3]], ['a', NULL], range(number)`,
  `(1, 'a'), tuple(1), CAST((1, 'x'), 'Tuple(a UInt8, \`b, (c\` Nullable(String))'), [(1, 'a'), (2, 'b')]`,
  `map('a', 1, 'b', 2), map('k', ['v']), map(1, map(2, 3))`,
  `CAST('b', 'Enum8(\\'a(\\' = 1, \\'b\\' = 2)'), CAST('b', 'Enum16(\\'a\\' = 1, \\'b\\' = 300)')`,
  `['x', 'y']::Array(LowCardinality(String)), []::Array(LowCardinality(String)), NULL::LowCardinality(Nullable(String))`,
  `map(toLowCardinality('k'), toLowCardinality('v')), (toLowCardinality('a'), [toLowCardinality(toString(number))])`,
])('columns of %s reach a client that names a protocol version', async (columns) => {
  const sql = `SELECT ${columns}, 'end' AS last FROM numbers(3)`
  const plain = await askNative(sql, 0)
  const n = plain.readUInt8(0)
  const named = await askNative(sql, 54_460)
  expect(named.subarray(0, blockInfoBytes).toString('hex')).toBe('010002ffffffff00')
  // One byte per column, and its rows follow the last type, and nothing else.
  expect(named.length).toBe(plain.length + blockInfoBytes + n)
  expect(named.subarray(-25).toString('latin1')).toBe('\x04last\x06String\0\x03end\x03end\x03end')
  expect((await askNative(sql, 54_405)).length).toBe(plain.length + blockInfoBytes)
})

test('several blocks, and none', async () => {
  const sql = "SELECT number, toString(number) FROM numbers(9000) UNION ALL SELECT 1, 'x'"
  const plain = await askNative(sql, 0)
  const added = (await askNative(sql, 54_460)).length - plain.length
  expect(added).toBe(2 * (blockInfoBytes + 2))
  const none = await askNative('SELECT 1 AS a WHERE 0', 54_460)
  expect(none.length === 0 || none.subarray(0, blockInfoBytes).toString('hex') === '010002ffffffff00').toBe(
    true,
  )
})

test('what cannot be taken apart is refused in words', async () => {
  await expect(askNative('SELECT countState()', 54_460)).rejects.toThrow(
    'cannot be given in this version of Native',
  )
})
