import { afterAll, expect, test } from 'vitest'
import { openTestEndpoint } from './endpoint.ts'

const endpoint = await openTestEndpoint()
afterAll(() => endpoint.close())

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
  expect(none.length === 0 || none.subarray(0, blockInfoBytes).toString('hex') === '010002ffffffff00').toBe(true)
})

test('what cannot be taken apart is refused in words', async () => {
  await expect(askNative('SELECT countState()', 54_460)).rejects.toThrow('cannot be given in this version of Native')
})
