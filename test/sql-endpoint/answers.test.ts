/** Answers on their way from the SQL process to a reader who may be slow, or gone. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { createSqlRoot, createTurns, openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess } from '../../services/sql-endpoint/process/open-sql-process.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { openTestStore } from '../support/store/store.ts'
import { testDirectory } from '../support/directories.ts'

const limits = {
  maxExecutionSeconds: 600,
  maxMemoryBytes: 2 ** 29,
  maxResultRows: 1_000_000,
  maxResultBytes: 2 ** 27,
}
const never = 1e9

const store = await openTestStore()
const directory = mkdtempSync(join(tmpdir(), 'rollcall-answers-'))
const engine = openSqlProcess({ client: store.reader, directory, views: [], limits })
const turns = createTurns({ mostEach: 8, mostAll: 8 })
const open = async (readerGraceMs: number) => {
  const endpoint = openSqlEndpoint({ engine, people: true, readerGraceMs, turns })
  const app = new Hono().route('/api/sql', endpoint)
  const at = { host: '127.0.0.1', port: 0, portVariable: 'the port' }
  const servers = [
    await listen({ handler: app, ...at }),
    await listen({ handler: createSqlRoot(app), ...at }),
  ]
  return { endpoint, servers, addresses: [`${servers[0]?.url}/api/sql`, `${servers[1]?.url}/`] }
}
const patient = await open(never)
const impatient = await open(100)
afterAll(async () => {
  for (const server of [...patient.servers, ...impatient.servers]) await server.close(0)
  await engine.close()
  await store.close()
})

/** A request whose answer is read up to its first bytes. `rest` reads what follows until the connection ends. */
async function begin(address: string, sql: string, headers: Record<string, string> = {}) {
  const { hostname, port, pathname } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`GET ${pathname}?query=${encodeURIComponent(sql)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'readable')
  return {
    socket,
    async rest(): Promise<string> {
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {})
      await once(socket, 'close')
      return Buffer.concat(chunks).toString('latin1')
    },
  }
}

const wide = (rows: number) => `SELECT hex(sipHash128(number)), repeat('a', 1000) FROM numbers(${rows})`
const closingChunk = '0\r\n\r\n'

test.each([
  ['JSON', 0, {}],
  ['JSON', 1, {}],
  ['JSONEachRow', 0, { 'accept-encoding': 'gzip' }],
  ['Parquet', 1, {}],
  ['Native', 0, {}],
])(
  'after the first byte, the end of the SQL process breaks an answer in %s (address %i)',
  async (format, at, headers) => {
    // Parquet packs what repeats.
    const sql = `SELECT number, hex(rand64()), hex(rand64(1)), hex(rand64(2)), hex(rand64(3)) FROM numbers(300000)`
    const answer = await begin(
      patient.addresses[at] ?? '',
      `${sql} FORMAT ${format}`,
      headers as Record<string, string>,
    )
    await engine.end()
    const text = await answer.rest()
    expect(text).toMatch(/^HTTP\/1.1 200 /)
    expect(text.endsWith(closingChunk)).toBe(false)
  },
)

test('an answer that nobody reads is broken after a time, and the next one is answered', async () => {
  const [address = ''] = patient.addresses
  const first = await begin(impatient.addresses[0] ?? '', wide(100_000))
  const next = fetch(`${address}?query=SELECT+1`)
  expect(await (await next).text()).toBe('1\n')
  const text = await first.rest()
  expect(text).toMatch(/^HTTP\/1.1 200 /)
  expect(text.endsWith(closingChunk)).toBe(false)
})

test('the turn lasts until the answer has been read', async () => {
  const [address = ''] = patient.addresses
  const first = await begin(address, wide(50_000), { connection: 'close' })
  let isAnswered = false
  const next = fetch(`${address}?query=SELECT+1`).finally(() => (isAnswered = true))
  // Another statement of the same process, asked later.
  await engine.run((client) => client.exec({ query: 'SELECT 1' }))
  expect(isAnswered).toBe(false)
  expect((await first.rest()).endsWith(closingChunk)).toBe(true)
  expect(await (await next).text()).toBe('1\n')
})

test('a reader who leaves gives up the turn', async () => {
  const [address = ''] = patient.addresses
  const first = await begin(address, wide(50_000))
  first.socket.destroy()
  expect(await (await fetch(`${address}?query=SELECT+1`)).text()).toBe('1\n')
})

test.each(['JSON', 'JSONEachRow', 'Parquet', 'CSV'])(
  'an error in a late row is a status, in %s',
  async (format) => {
    const sql = `SELECT intDiv(1, toInt64(number) - 899999), number FROM numbers(900000) FORMAT ${format}`
    const answer = await fetch(`${patient.addresses[0]}?query=${encodeURIComponent(sql)}`)
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([500, '153'])
  },
)

test('returns code 396 for an answer that is larger than the limit only in its format', async () => {
  const sql = `SELECT repeat('\\x01', 1000) FROM numbers(30000) FORMAT JSONEachRow`
  const answer = await fetch(`${patient.addresses[0]}?query=${encodeURIComponent(sql)}`)
  expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([500, '396'])
})

test('a large answer arrives whole, packed or not', async () => {
  const sql = encodeURIComponent('SELECT number FROM numbers(300000)')
  const expected = createHash('sha256')
  for (let n = 0; n < 300_000; n++) expected.update(`${n}\n`)
  const digest = expected.digest('hex')
  for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'deflate']) {
    const answer = await fetch(`${patient.addresses[0]}?query=${sql}`, {
      headers: { 'accept-encoding': encoding },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([encoding, createHash('sha256').update(bytes).digest('hex')]).toEqual([encoding, digest])
  }
})

test('Native blocks of many megabytes reach a client that names a protocol version', async () => {
  const sql =
    "SELECT number, repeat('x', 900000) AS a, repeat('y', 900000) AS b, 'end' AS last FROM numbers(3) FORMAT Native"
  const ask = async (version: number) => {
    const query = new URLSearchParams({ query: sql, client_protocol_version: String(version) })
    return Buffer.from(await (await patient.endpoint.request(`/?${query.toString()}`)).arrayBuffer())
  }
  const [plain, named] = [await ask(0), await ask(54_460)]
  expect(named.length).toBe(plain.length + 8 + 4)
  expect(named.subarray(-25).toString('latin1')).toBe('\x04last\x06String\0\x03end\x03end\x03end')
})

test('eight unread answers of 60 MB cost the main process less than 100 MB', async () => {
  const embedded = await startEmbedded(testDirectory())
  const read = (name: string) =>
    Number(
      new RegExp(`${name}:\\s+(\\d+) kB`).exec(
        readFileSync(`/proc/${embedded.process.pid}/status`, 'utf8'),
      )?.[1],
    ) / 1_024
  const address = `${embedded.dashboardUrl}/api/sql`
  await (await fetch(`${address}?query=SELECT+1`)).text()
  // The peak from now on.
  writeFileSync(`/proc/${embedded.process.pid}/clear_refs`, '5')
  const before = read('VmRSS')
  const answers = new Set(
    Array.from({ length: 8 }, () => {
      const begun = begin(address, wide(57_000)).then(({ socket }) => {
        answers.delete(begun)
        return socket
      })
      return begun
    }),
  )
  // One has the turn and the others wait. Each leaves when its answer has begun.
  while (answers.size > 0) (await Promise.race(answers)).destroy()
  expect(read('VmHWM') - before).toBeLessThan(100)
  await embedded.stop()
})
