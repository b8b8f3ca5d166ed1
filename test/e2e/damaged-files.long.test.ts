/** Damaged files: the product stops with one sentence, loses nothing more, and both ways out work. */
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { testDirectory } from '../support/directories.ts'
import { monday, toBody } from '../support/data/records.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { deliver, startEmbedded, testToken, type Embedded } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'

const pageBytes = 8_192
const acknowledged = 200
let data: string
const logFile = () => join(data, 'log/log.sqlite')
const env = () => ({ DATA_DIR: data, INGEST_TOKENS: `main=${testToken}` })

beforeEach(() => {
  data = testDirectory()
})

/** As ingest leaves it when it is ended before anything was stored. */
async function writeLog(): Promise<void> {
  const writer = await openLocalLogWriter({ directory: join(data, 'log') })
  for (let index = 0; index < acknowledged; index++) {
    const body = toBody('Created', `old-${index}-x`, monday + index)
    await writer.append({
      key: `old-${index}-x`,
      eventId: toEventId(body),
      source: 'main',
      receivedAt: monday,
      body,
    })
  }
  await writer.close()
}

function spoil(change: (content: Buffer) => void): void {
  const content = readFileSync(logFile())
  change(content)
  writeFileSync(logFile(), content)
}

/** The message of a start that is refused with exit code 2, and without a stack. */
async function refuse(more: Record<string, string> = {}): Promise<string> {
  const words = await startEmbedded(data, more).then(
    (embedded) =>
      until(() => embedded.process.exitCode !== null).then(
        () => `It ended with ${embedded.process.exitCode}:${embedded.output()}`,
      ),
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

const countAssignments = (embedded: Embedded) =>
  select(embedded, 'SELECT toUInt32(count()) AS n FROM rollcall.assignments')

describe('a damaged event log', () => {
  test('with one wrong body stores all others, and keeps that one as a failed event', async () => {
    await writeLog()
    spoil((content) => void content.write('X', content.indexOf('First call', content.indexOf('old-20-x'))))
    const embedded = await startEmbedded(data)
    await send(embedded, 'new')
    await until(
      () => countAssignments(embedded),
      ({ n }) => n === acknowledged,
    )
    const failed = 'SELECT toUInt32(count()) AS n, any(reasons) AS reasons FROM rollcall.failed_events'
    expect(await select(embedded, failed)).toEqual({ n: 1, reasons: ['damaged'] })
    expect(
      await select(embedded, 'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total'),
    ).toEqual({
      difference: 0,
    })
    expect(await embedded.stop()).toBe(0)
  })

  test('with a page that cannot be read stops in one sentence; in a new log everything goes on', async () => {
    await writeLog()
    spoil((content) => {
      const page = Math.floor(content.indexOf('old-150-x') / pageBytes)
      content.fill(0xff, page * pageBytes, (page + 1) * pageBytes)
    })
    const words = await refuse()
    expect(words).toMatch(
      /log\.sqlite is damaged \(.*malformed.*\): either restore the backup .* or move it away, start/,
    )
    expect(words).toContain('rollcall backfill --all --repair')

    renameSync(join(data, 'log'), join(data, 'log.away'))
    const embedded = await startEmbedded(data)
    const { n } = await countAssignments(embedded)
    await send(embedded, 'new')
    await until(
      () => countAssignments(embedded),
      (row) => row['n'] === Number(n) + 1,
    )
    expect(await embedded.stop()).toBe(0)
  })

  test('that cannot be opened is refused in one sentence, by doctor too', async () => {
    await writeLog()
    spoil((content) => void content.fill(0xa5, 0, 100))
    expect(await refuse()).toMatch(
      /log\.sqlite is damaged \(file is not a database\): either restore the backup/,
    )
    const doctor = await runCliInside(['doctor'], env())
    expect(doctor.out).toMatch(/PROBLEM .*log\.sqlite is damaged .*\[log_unusable\]/)
  })

  test('beside files that every start makes again is not disturbed by them, whatever they hold', async () => {
    await writeLog()
    const files = [
      'control.json',
      'log/stored-through.txt',
      'log/reader.lock',
      'log/writer.lock',
      'clickhouse.lock',
    ]
    for (const file of [...files, 'clickhouse.pid']) writeFileSync(join(data, file), Buffer.alloc(200, 0xee))
    const embedded = await startEmbedded(data)
    await until(
      () => countAssignments(embedded),
      ({ n }) => n === acknowledged,
    )
    expect(await embedded.stop()).toBe(0)
  })

  test.each(['tokens.json', 'ingest-token'])(
    '%s is refused with a message when it is damaged',
    async (file) => {
      writeFileSync(join(data, file), Buffer.from([0, 1, 0xff, 0x7b]))
      expect(await refuse({ INGEST_TOKENS: '' })).toContain(join(data, file))
    },
  )

  test('that was replaced by nothing goes on from the store’s position', async () => {
    const first = await startEmbedded(data)
    for (let index = 0; index < 20; index++) await send(first, `kept-${index}`)
    await until(
      () => countAssignments(first),
      ({ n }) => n === 20,
    )
    expect(await first.stop()).toBe(0)
    rmSync(join(data, 'log'), { recursive: true })
    const embedded = await startEmbedded(data)
    for (let index = 0; index < 5; index++) await send(embedded, `new-${index}`)
    await until(
      () => countAssignments(embedded),
      ({ n }) => n === 25,
    )
    expect(await embedded.stop()).toBe(0)
    const log = new DatabaseSync(logFile())
    const offsets = log.prepare('SELECT offset FROM records ORDER BY offset').all()
    log.close()
    expect(offsets.map(({ offset }) => offset)).toEqual([20, 21, 22, 23, 24])
  })
})

test('the log of another store is refused, and read from its first record once it is adopted', async () => {
  const first = await startEmbedded(data)
  await send(first, 'own')
  await until(
    () => countAssignments(first),
    ({ n }) => n === 1,
  )
  expect(await first.stop()).toBe(0)
  renameSync(join(data, 'log'), join(data, 'log.own'))
  await writeLog()
  expect(await refuse()).toContain('To read it from its first record, run: rollcall log adopt.')

  const adopted = await runCli(['log', 'adopt', '--json'], env())
  expect([adopted.code, JSON.parse(adopted.out)]).toEqual([0, expect.objectContaining({ lost: 0 })])
  const second = await startEmbedded(data)
  await until(
    () => countAssignments(second),
    ({ n }) => n === acknowledged + 1,
  )
  expect(await select(second, 'SELECT given, lost, difference FROM rollcall.ledger_total')).toEqual({
    given: acknowledged + 1,
    lost: 0,
    difference: 0,
  })
  expect(await second.stop()).toBe(0)
})

test('a damaged store is refused in one sentence; a restored backup and the log bring everything back', async () => {
  const sendAll = async (embedded: Embedded, label: string, count: number, stored: number) => {
    for (let index = 0; index < count; index++) await send(embedded, `${label}-${index}`)
    await until(
      () => countAssignments(embedded),
      ({ n }) => n === stored,
    )
  }
  const first = await startEmbedded(data)
  await sendAll(first, 'before', 10, 10)
  const backup = join(data, 'backup')
  expect(await runCliInside(['backup', backup], env())).toMatchObject({ code: 0 })
  await sendAll(first, 'after', 5, 15)
  expect(await first.stop()).toBe(0)

  const store = join(data, 'clickhouse')
  truncateSync(join(store, 'metadata/rollcall/settings.sql'), 40)
  const words = await refuse()
  expect(words).toMatch(
    /clickhouse is damaged \(.*settings\.sql.*\): either restore the backup \(rollcall restore\), or/,
  )
  renameSync(store, join(data, 'clickhouse.away'))
  expect(await runCli(['restore', backup], env())).toMatchObject({ code: 0 })
  const again = await startEmbedded(data)
  await sendAll(again, 'new', 1, 16)
  expect(
    await select(again, 'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total'),
  ).toEqual({
    difference: 0,
  })
  expect(await again.stop()).toBe(0)
})
