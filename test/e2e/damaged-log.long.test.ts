import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { deliver, startEmbedded, testToken, type Embedded } from '../support/processes/embedded.ts'
import { monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'
import { testDirectory } from '../support/directories.ts'

const pageBytes = 8_192
const acknowledged = 200
let data: string
const logFile = () => join(data, 'log/log.sqlite')

beforeEach(() => {
  data = testDirectory()
})

/** As ingest leaves it when it is ended before anything was stored. */
async function writeLog(): Promise<void> {
  const writer = await openLocalLogWriter({ directory: join(data, 'log') })
  for (let index = 0; index < acknowledged; index++) {
    const body = toBody('Created', `old-${index}-x`, monday + index)
    await writer.append({ key: `old-${index}-x`, eventId: toEventId(body), source: 'main', receivedAt: monday, body })
  }
  await writer.close()
}

function spoil(change: (content: Buffer) => void): void {
  const content = readFileSync(logFile())
  change(content)
  writeFileSync(logFile(), content)
}

/** The message of a start that is refused with exit code 2, and without a stack. */
async function refuse(env: Record<string, string> = {}): Promise<string> {
  const words = await startEmbedded(data, env).then(
    () => 'It started',
    (error: Error) => error.message,
  )
  expect(words).toMatch(/^It ended with 2:/)
  expect(words).not.toMatch(/^\s+at /m)
  return words
}

async function send(embedded: Embedded, id: string): Promise<void> {
  const answer = await deliver(embedded.ingestUrl, toBody('Created', id, monday))
  expect(answer.status).toBe(200)
}

async function select(embedded: Embedded, query: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${embedded.dashboardUrl}/api/sql?default_format=JSONEachRow`, {
    method: 'POST',
    body: `${query} FORMAT JSONEachRow`,
  })
  return JSON.parse(await answer.text()) as Record<string, unknown>
}

describe('a damaged event log', () => {
  test('with a damaged page in the middle stores all other records and new ones, and reports the loss everywhere', async () => {
    await writeLog()
    spoil((content) => {
      const page = Math.floor(content.indexOf('old-100-x') / pageBytes)
      content.fill(0xff, page * pageBytes, (page + 1) * pageBytes)
      // One body, in a page that is otherwise whole.
      content.write('X', content.indexOf('First call', content.indexOf('old-20-x')))
    })
    const embedded = await startEmbedded(data)
    await send(embedded, 'new')
    const count = () =>
      select(
        embedded,
        "SELECT toUInt32(count()) AS n, toUInt32(countIf(assignment_id = 'new')) AS new FROM rollcall.assignments",
      )
    const { n } = await until(count, (row) => row['new'] === 1)
    const failed = await select(
      embedded,
      'SELECT toUInt32(count()) AS n, any(reasons) AS reasons FROM rollcall.failed_events',
    )
    expect(failed).toEqual({ n: 1, reasons: ['damaged'] })
    const lost = acknowledged - (Number(n) - 1) - 1
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThan(20)

    expect(
      await select(embedded, 'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total'),
    ).toEqual({
      difference: lost,
    })
    expect(await (await fetch(`${embedded.adminUrl}/metrics`)).text()).toContain(`rollcall_log_lost_records ${lost}\n`)
    const ready = await until(
      async () =>
        (await (await fetch(`${embedded.adminUrl}/health/ready`)).json()) as { status: string; note?: string },
      ({ note }) => note !== undefined,
    )
    expect(ready).toEqual({
      status: 'ready',
      note: expect.stringMatching(/has lost deliveries\. How many: rollcall ledger/),
    })
    expect(embedded.output()).toContain('The event log is damaged: places of it cannot be read')

    const env = { DATA_DIR: data, INGEST_TOKENS: `main=${testToken}` }
    const doctor = await runCliInside(['doctor'], env)
    expect(doctor.out).toMatch(/PROBLEM .*\[log_damaged\]/)
    // One figure, the ledger's.
    expect(doctor.out.match(/\d+ (?=acknowledged deliveries|deliveries that were acknowledged)/g)).toEqual([`${lost} `])
    const check = await runCliInside(['log', 'check', '--json'], env)
    expect(check.code).toBe(3)
    expect(JSON.parse(check.out)).toMatchObject({ outcome: 'problems', unreadable: lost, damaged: 1 })
    expect(await runCliInside(['log', 'repair'], env)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Rollcall runs on this log/),
    })
    expect(await embedded.stop()).toBe(0)
  })

  test('that cannot be opened is refused with a message, and a repair keeps its records, whatever is beside them', async () => {
    await writeLog()
    spoil((content) => void content.fill(0xa5, 0, 100))
    const words = await refuse()
    expect(words).toMatch(/^The event log in \S+ is damaged \(.*\)\. Stop Rollcall and run: rollcall log repair\./m)
    const env = { DATA_DIR: data, INGEST_TOKENS: `main=${testToken}` }
    const repair = await runCli(['log', 'repair'], env)
    expect(repair).toMatchObject({
      code: 0,
      out: expect.stringContaining(`is whole again, with ${acknowledged} deliveries`),
    })
    // Those that are made again at every start.
    for (const file of [
      'control.json',
      'log/stored-through.txt',
      'log/losses.json',
      'log/kept-offsets.txt',
      'log/reader.lock',
      'log/writer.lock',
      'clickhouse.lock',
      'clickhouse.pid',
    ]) {
      writeFileSync(join(data, file), Buffer.alloc(200, 0xee))
    }
    const embedded = await startEmbedded(data)
    await until(
      () => select(embedded, 'SELECT toUInt32(count()) AS n FROM rollcall.assignments'),
      ({ n }) => n === acknowledged,
    )
    expect(await embedded.stop()).toBe(0)
  })

  test.each(['tokens.json', 'ingest-token'])('%s is refused with a message when it is damaged', async (file) => {
    writeFileSync(join(data, file), Buffer.from([0, 1, 0xff, 0x7b]))
    expect(await refuse({ INGEST_TOKENS: '' })).toContain(join(data, file))
  })

  test('that has lost its end and all that says so goes on where the store is, and says so', async () => {
    const log = join(data, 'log')
    const sendAll = async (embedded: Embedded, ids: readonly string[], stored: number) => {
      await Promise.all(ids.map((id) => send(embedded, id)))
      await until(
        () => select(embedded, 'SELECT toUInt32(count()) AS n FROM rollcall.assignments'),
        ({ n }) => n === stored,
      )
    }
    const run = async (ids: readonly string[], stored: number): Promise<Embedded> => {
      const embedded = await startEmbedded(data)
      await sendAll(embedded, ids, stored)
      return embedded
    }
    const name = (label: string, count: number) => Array.from({ length: count }, (_, index) => `${label}-${index}`)
    const readHealth = async ({ adminUrl }: Embedded) => (await fetch(`${adminUrl}/health/ready`)).json()
    const difference = 'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total'

    const first = await run(name('kept', 20), 20)
    // The reader writes its position to another file, which then takes the name of the old one.
    cpSync(log, join(data, 'older'), { recursive: true, filter: (path) => !path.endsWith('.new') })
    await sendAll(first, name('lost', 10), 30)
    expect(await first.stop()).toBe(0)
    rmSync(log, { recursive: true })
    cpSync(join(data, 'older'), log, { recursive: true })
    for (const file of ['stored-through.txt', 'kept-offsets.txt', 'acknowledged.txt'])
      rmSync(join(log, file), { force: true })

    // As many as were lost, so that the log is as long as before.
    const embedded = await run(name('new', 10), 40)
    expect(await readHealth(embedded)).toEqual({ status: 'ready', note: expect.stringContaining('has lost its end') })
    expect(embedded.output()).toContain('has lost its end')
    expect(await select(embedded, difference)).toEqual({ difference: 0 })
    expect(await embedded.stop()).toBe(0)

    const again = await run(name('newer', 1), 41)
    expect(await readHealth(again)).toEqual({ status: 'ready' })
    expect(await again.stop()).toBe(0)
  })
})
