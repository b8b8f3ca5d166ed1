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
import { deliver } from '../support/processes/embedded.ts'
import { openProduct, type Product } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'

const pageBytes = 8_192
const acknowledged = 200
let data: string
const logFile = () => join(data, 'log/log.sqlite')
const cli = (...words: string[]) => runCliInside(words, { DATA_DIR: data })
const cliApart = (...words: string[]) => runCli(words, { DATA_DIR: data })

beforeEach(() => {
  data = testDirectory()
})

/** As ingest leaves it when it is ended before anything was stored. */
async function writeLog(): Promise<void> {
  const writer = await openLocalLogWriter({ directory: join(data, 'log') })
  for (let index = 0; index < acknowledged; index++) {
    const key = `old-${index}-x`
    const body = toBody('Created', key, monday + index)
    await writer.append({ key, eventId: toEventId(body), source: 'main', receivedAt: monday, body })
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
  const words = await openProduct('embedded', { directory: data, env }).then(
    async ({ ingest }) => {
      await until(() => ingest.process.exitCode !== null)
      return `It ended with ${await ingest.stop()}:${ingest.output()}`
    },
    (error: Error) => error.message,
  )
  expect(words).toMatch(/^It ended with 2:/)
  expect(words).not.toMatch(/^\s+at /m)
  return words
}

const count = async ({ select }: Product) =>
  (await select<{ n: number }>('SELECT toUInt32(count()) AS n FROM rollcall.assignments'))[0]?.n

/** Starts it, sends so many deliveries, waits for so many assignments, and stops it without a difference of the ledger. */
async function run(
  label: string,
  sent: number,
  stored: (before: number) => number,
  more?: (product: Product) => unknown,
) {
  const product = await openProduct('embedded', { directory: data })
  try {
    const before = (await count(product)) ?? 0
    for (let index = 0; index < sent; index++)
      expect((await deliver(product.ingestUrl, toBody('Created', `${label}-${index}`, monday))).status).toBe(
        200,
      )
    await until(
      () => count(product),
      (n) => n === stored(before),
    )
    const difference = 'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total'
    if (!label.startsWith('new log')) expect(await product.select(difference)).toEqual([{ difference: 0 }])
    await more?.(product)
    await product.stop()
  } finally {
    await product.dispose()
  }
}

describe('a damaged event log', () => {
  test('with one wrong body stores all others, and keeps that one as a failed event', async () => {
    await writeLog()
    spoil((content) => void content.write('X', content.indexOf('First call', content.indexOf('old-20-x'))))
    const failed = 'SELECT toUInt32(count()) AS n, any(reasons) AS reasons FROM rollcall.failed_events'
    await run(
      'new',
      1,
      () => acknowledged,
      async ({ select }) => expect(await select(failed)).toEqual([{ n: 1, reasons: ['damaged'] }]),
    )
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
    await run('new log', 1, (before) => before + 1)
  })

  test('that cannot be opened is refused in one sentence, by doctor too', async () => {
    await writeLog()
    spoil((content) => void content.fill(0xa5, 0, 100))
    expect(await refuse()).toMatch(
      /log\.sqlite is damaged \(file is not a database\): either restore the backup/,
    )
    expect((await cli('doctor')).out).toMatch(/PROBLEM .*log\.sqlite is damaged .*\[log_unusable\]/)
  })

  test('beside files that every start makes again is not disturbed by them, whatever they hold', async () => {
    await writeLog()
    const locks = ['log/stored-through.txt', 'log/reader.lock', 'log/writer.lock', 'clickhouse.lock']
    for (const file of [...locks, 'control.json', 'clickhouse.pid'])
      writeFileSync(join(data, file), Buffer.alloc(200, 0xee))
    await run('none', 0, () => acknowledged)
  })

  test('tokens.json is refused with a message when it is damaged', async () => {
    const file = join(data, 'tokens.json')
    writeFileSync(file, Buffer.from([0, 1, 0xff, 0x7b]))
    expect(await refuse({ INGEST_TOKENS: '' })).toContain(file)
  })

  test('that was replaced by nothing goes on from the store’s position', async () => {
    await run('kept', 20, () => 20)
    rmSync(join(data, 'log'), { recursive: true })
    await run('new', 5, () => 25)
    const log = new DatabaseSync(logFile())
    const offsets = log.prepare('SELECT offset FROM records ORDER BY offset').all()
    log.close()
    expect(offsets.map(({ offset }) => offset)).toEqual([20, 21, 22, 23, 24])
  })

  test('of another store is refused, and read from its first record once it is adopted', async () => {
    await run('own', 1, () => 1)
    renameSync(join(data, 'log'), join(data, 'log.own'))
    await writeLog()
    expect(await refuse()).toContain('To read it from its first record, run: rollcall log adopt.')
    const adopted = await cliApart('log', 'adopt', '--json')
    expect([adopted.code, JSON.parse(adopted.out)]).toEqual([0, expect.objectContaining({ lost: 0 })])
    const given = 'SELECT toUInt32(given) AS given FROM rollcall.ledger_total'
    await run(
      'none',
      0,
      () => acknowledged + 1,
      async ({ select }) => expect(await select(given)).toEqual([{ given: acknowledged + 1 }]),
    )
  })
})

test('a damaged store is refused in one sentence; a restored backup and the log bring everything back', async () => {
  const [backup, store] = [join(data, 'backup'), join(data, 'clickhouse')]
  const back = async () => expect(await cli('backup', backup)).toMatchObject({ code: 0 })
  await run('before', 10, () => 10, back)
  await run('after', 5, () => 15)
  truncateSync(join(store, 'metadata/rollcall/settings.sql'), 40)
  expect(await refuse()).toMatch(
    /settings\.sql[^]*clickhouse cannot be opened\. .* either restore the backup \(rollcall restore\), or/,
  )
  renameSync(store, join(data, 'clickhouse.away'))
  expect(await cliApart('restore', backup)).toMatchObject({ code: 0 })
  await run('new', 1, () => 16)
})
