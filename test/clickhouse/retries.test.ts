import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openClickHouseServer } from '../../services/clickhouse/open-server.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { until } from '../support/wait.ts'

/** The fate of one request between us and the server: it goes through, or something happens to it. */
type Fate =
  | { kind: 'through' }
  | { kind: 'cut_before' }
  /** The server does it, and the answer is lost. */
  | { kind: 'cut_after' }
  | { kind: 'refused'; code: string }
  /** It never gets an answer. */
  | { kind: 'silent' }

let fates: Fate[] = []
/** Statements as they arrived, in order. */
let seen: string[] = []

const server = await openTestClickHouse()
const proxy = createServer((incoming, answer) => void relay(incoming, answer))
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const clickhouse = await openClickHouseServer({ ...server, url, access: 'write', cluster: 'main' })
await clickhouse.writer.command({
  query: 'CREATE TABLE IF NOT EXISTS default.tries (n UInt8) ENGINE = MergeTree ORDER BY n',
})
afterEach(() => {
  expect(fates, 'fates that no request met').toEqual([])
})
afterAll(async () => {
  await clickhouse.writer.command({ query: 'DROP TABLE default.tries SYNC' })
  await clickhouse.close()
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await server.stop()
})

async function relay(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const address = new URL(incoming.url ?? '/', 'http://proxy')
  const body = Buffer.concat(chunks)
  const isPacked = incoming.headers['content-encoding'] === 'gzip'
  seen.push(address.searchParams.get('query') ?? (isPacked ? gunzipSync(body) : body).toString())
  const fate = fates.shift() ?? { kind: 'through' }
  if (fate.kind === 'cut_before') return void incoming.socket.destroy()
  if (fate.kind === 'silent') return
  if (fate.kind === 'refused') {
    answer.writeHead(500, { 'x-clickhouse-exception-code': fate.code })
    return void answer.end(`Code: ${fate.code}. DB::Exception: Not now. (SOME_TYPE)`)
  }
  const forwarded = request(`${server.url}${incoming.url}`, {
    method: incoming.method ?? 'POST',
    headers: incoming.headers,
  })
  forwarded.on('response', (response) => {
    if (fate.kind === 'cut_after') {
      response.resume().on('end', () => incoming.socket.destroy())
      return
    }
    answer.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(answer)
  })
  forwarded.end(Buffer.concat(chunks))
}

function meet(...next: Fate[]): void {
  fates = next
  seen = []
}

async function countTries(): Promise<number> {
  const answer = await clickhouse.reader.query({
    query: 'SELECT count() AS n FROM default.tries',
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ n: number | string }>()
  return Number(row?.n)
}

const insert = () =>
  clickhouse.writer.insert({ table: 'default.tries', values: [{ n: 1 }], format: 'JSONEachRow' })

describe('a statement is sent again', () => {
  test.each<Fate>([
    { kind: 'cut_before' },
    { kind: 'cut_after' },
    { kind: 'refused', code: '202' },
    { kind: 'refused', code: '210' },
  ])('a read, after %o', async (fate) => {
    const before = await countTries()
    meet(fate)
    expect(await countTries()).toBe(before)
    expect(seen).toHaveLength(2)
  })

  test('a migration whose connection is reset', async () => {
    meet(...Array.from({ length: 3 }, (): Fate => ({ kind: 'through' })), { kind: 'cut_after' })
    await migrate(clickhouse.writer)
    expect(seen[3]).toContain('CREATE TABLE')
    expect(seen[4]).toBe(seen[3])
  })

  test('an insert, when the server says that it did not begin', async () => {
    const before = await countTries()
    meet({ kind: 'refused', code: '202' }, { kind: 'refused', code: '252' })
    await insert()
    expect(seen).toHaveLength(3)
    expect(await countTries()).toBe(before + 1)
  })
})

describe('a statement is not sent again', () => {
  test.each<Fate>([{ kind: 'cut_before' }, { kind: 'cut_after' }, { kind: 'refused', code: '319' }])(
    'an insert that may have been executed, after %o',
    async (fate) => {
      const before = await countTries()
      meet(fate)
      await expect(insert()).rejects.toThrow()
      expect(seen).toHaveLength(1)
      expect(await countTries()).toBe(before + (fate.kind === 'cut_after' ? 1 : 0))
    },
  )
})

describe('once a stop gives up, a statement fails at once', () => {
  const refusals = Array.from({ length: 2 }, (): Fate => ({ kind: 'refused', code: '202' }))
  test.each<[string, Fate[], number]>([
    ['that waits for an answer', [{ kind: 'silent' }], 1],
    ['that waits for its next try', refusals, 2],
  ])('%s, and so does every later one', async (_, met, sent) => {
    const givingUp = new AbortController()
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const own = await openClickHouseServer({ ...server, url, access: 'write', givingUp: givingUp.signal })
    const ask = () => own.writer.query({ query: 'SELECT 1', format: 'JSONEachRow' })
    meet(...met)
    const asked = ask()
    await until(() => seen.length === sent && fates.length === 0)
    givingUp.abort()
    await expect(asked).rejects.toMatchObject({ code: 'GIVEN_UP' })
    await expect(ask()).rejects.toMatchObject({ code: 'GIVEN_UP' })
    await expect(
      own.writer.insert({ table: 'default.tries', values: [{ n: 1 }], format: 'JSONEachRow' }),
    ).rejects.toMatchObject({ code: 'GIVEN_UP' })
    expect(seen).toHaveLength(sent)
    await own.close()
  })
})
