/** The waiting deliveries and why they wait, from a real log and a store that really refuses, to the words on a page. */
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createArrival } from '../../dashboards/arrival.ts'
import { readWrong } from '../../digest/content/alerts.ts'
import { standingWords } from '../../reporting/words/standing-words.ts'
import { createFormat } from '../../language/format.ts'
import { ledger as ledgerCommand, ledgerForget } from '../../services/cli/commands/ledger.ts'
import { parseConfig } from '../../services/config/config.ts'
import { readStanding } from '../../reporting/statements/standing.ts'
import { runChecks } from '../../services/cli/doctor/check.ts'
import { progressChecks, storeChecks } from '../../services/cli/doctor/checks-of-store.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createWaitingReport } from '../../services/watch/reports.ts'
import { createSpoolWatch } from '../../services/watch/watch-spools.ts'
import {
  createFailureMemory,
  createProgressWatch,
  stalledAfterMs,
  toProgress,
} from '../../services/watch/watch-progress.ts'
import { openLocalLogReader } from '../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { openSpooledLogWriter } from '../../services/event-log/spool/spool.ts'
import { listen } from '../../services/runtime/http/listen.ts'
import { openPrimary } from '../event-log/spool/primary.ts'
import { runInStore } from '../support/processes/cli.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'
import { createSpoolApp } from '../../services/ingest/run-ingest.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { testDirectory } from '../support/directories.ts'

let directory: string
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  directory = testDirectory()
})

const ledger = () =>
  store.rows(
    'SELECT toUInt32(given) AS given, toUInt32(waiting) AS waiting, toUInt32(stored) AS stored, toUInt32(lost) AS lost, toInt32(difference) AS difference FROM rollcall.ledger_total',
  )

/** The troubles that the owner would be told by mail. */
function wrong(now = Date.now()) {
  const clock = () => now
  const arrival = createArrival({
    reader: ownReader(store.reader),
    timeZone: 'UTC',
    clock,
    bodies: 'withheld',
  })
  return readWrong({ arrival, timeZone: 'UTC', clock })
}

async function completeThrough(): Promise<number | null> {
  const { complete_through: through } = await readStanding(ownReader(store.reader))
  return through === null ? null : Date.parse(through)
}

test('a stalled store is said in a manager’s words and by doctor, and shown in the ledger, until it stores again', async () => {
  const writer = await openLocalLogWriter({ directory })
  const reader = openLocalLogReader({ directory })
  const failures = createFailureMemory()
  let clock = Date.now()
  const watch = createProgressWatch({
    lag: () => reader.lag(),
    failure: failures.current,
    onStalled: () => {},
    onMoving: () => {},
    registry: new Registry(),
    now: () => clock,
    elapsed: () => clock,
  })
  const report = createWaitingReport(store.writer)
  const look = async () => {
    const reportedAt = Date.now()
    await watch.look()
    await report.write(watch.parts(), watch.current(), reportedAt)
  }
  const say = async (now: number) =>
    standingWords(
      await readStanding(ownReader(store.reader)),
      createFormat({ locale: 'en-GB', timeZone: 'UTC', now }),
    )
  const consumer = createConsumer({
    client: store.writer,
    onStored: ({ partition }) => {
      failures.stored()
      watch.moved(partition)
    },
  })
  const limits = { maxBatchRecords: 10, maxBatchBytes: 1e6, minBatchIntervalMs: 1 }
  reader.start(consumer, limits, (error) => failures.failed(error))
  // All in one hour, of which the ledger has a row.
  const receivedAt = Date.now()
  const receive = (id: string) => writer.append({ ...toRecord(toBody('Created', id, monday), 0), receivedAt })
  try {
    await receive('a')
    await until(ledger, ([sums]) => sums?.['stored'] === 1)
    await look()
    expect(await say(Date.now())).toBe(null)
    expect(await wrong()).toEqual({})

    await store.writer.command({ query: 'RENAME TABLE rollcall.names TO rollcall.elsewhere' })
    for (const id of ['b', 'c']) await receive(id)
    await until(() => failures.current())
    await look()
    clock += stalledAfterMs
    await look()
    expect(await readStanding(ownReader(store.reader))).toMatchObject({
      waiting: 2,
      reason: expect.stringContaining('UNKNOWN_TABLE'),
    })
    // A day later the words would name the day.
    expect(await say((await completeThrough())!)).toMatch(
      /^Numbers are complete up to \d\d:\d\d; 2 webhooks are waiting since then\. The owner has been told why\.$/,
    )
    expect(await wrong()).toEqual({
      stall: {
        en: expect.stringMatching(/2 webhooks are waiting since then\..* The reason: .*UNKNOWN_TABLE/),
        de: expect.stringMatching(/2 Webhooks.*UNKNOWN_TABLE/),
      },
    })
    const progress = toProgress(await reader.lag(), failures.current(), Date.now(), watch.current())
    expect(await runChecks(progressChecks, { progress, now: clock })).toMatchObject([
      {
        code: 'stalled',
        severity: 'problem',
        what: expect.stringMatching(/2 webhooks wait.*UNKNOWN_TABLE/),
      },
    ])
    expect(await ledger()).toEqual([{ given: 3, waiting: 2, stored: 1, lost: 0, difference: 0 }])

    await store.writer.command({ query: 'RENAME TABLE rollcall.elsewhere TO rollcall.names' })
    await until(async () => (await reader.lag()).every(({ records }) => records === 0))
    // Without another look: deliveries stored since are known from their positions.
    expect(await readStanding(ownReader(store.reader))).toMatchObject({ waiting: 0, stalled_since: null })
    expect(await ledger()).toEqual([{ given: 3, waiting: 0, stored: 3, lost: 0, difference: 0 }])
    await look()
    expect(await store.rows('SELECT toUInt32(records) AS records FROM rollcall.waiting')).toEqual([
      { records: 0 },
    ])
  } finally {
    await reader.close()
    await writer.close()
  }
})

describe('how far the numbers are complete', () => {
  test('is unknown until every partition of a new topic has a position', async () => {
    const consumer = createConsumer({ client: store.writer })
    await consumer.counted(3, 'a log')
    for (const partition of [0, 1, 2]) {
      await consumer.resumeFrom(partition)
      expect(await completeThrough(), String(partition)).toBe(null)
      await consumer.caughtUp(partition, 0, monday + partition)
    }
    expect(await completeThrough()).toBe(monday)
    // A fourth one was added to the topic.
    await consumer.counted(4, 'a log')
    expect(await completeThrough()).toBe(null)
    await consumer.resumeFrom(3)
    await consumer.caughtUp(3, 0, monday + 5)
    expect(await completeThrough()).toBe(monday)
  })

  test('stops at the oldest delivery of a spool until the log was read past its end', async () => {
    const primary = await openPrimary(join(directory, 'log'))
    const spooled = await openSpooledLogWriter({
      primary,
      directory: join(directory, 'spool'),
      maxBytes: 1e7,
    })
    const admin = await listen({
      handler: createSpoolApp(spooled),
      host: '127.0.0.1',
      port: 0,
      portVariable: 'ADMIN_PORT',
    })
    // Far enough in the past that none of its later times is in the future.
    let clock = Date.now() - day
    const unreachable: string[] = []
    const open = () =>
      createSpoolWatch({
        client: store.writer,
        urls: [admin.url],
        onUnreachable: ({ url }) => unreachable.push(url),
        now: () => clock,
      })
    const spools = open()
    /** Another process, which looks whenever it has the first partition. */
    const other = open()
    const consumer = createConsumer({ client: store.writer })
    try {
      await consumer.caughtUp(0, 0, clock)
      await other.look()
      await spools.look()
      expect(await completeThrough()).toBe(clock)

      primary.tap = 'refusing'
      const receivedAt = clock + 1_000
      await spooled.append({ ...toRecord(toBody('Created', 'a', monday), 0), receivedAt })
      await spools.look()
      await consumer.caughtUp(0, 0, clock + 600_000)
      const held = await completeThrough()
      expect(Math.abs((held ?? 0) - receivedAt)).toBeLessThan(1_100)
      expect(await ledger()).toMatchObject([{ given: 1, waiting: 1, difference: 0 }])

      primary.tap = 'open'
      await until(async () => (await spooled.stats()).records === 0)
      clock += 700_000
      await other.look()
      // The log has it, and was not read since.
      expect(await completeThrough()).toBe(held)
      await consumer.handle(toBatch([{ ...toRecord(toBody('Created', 'a', monday), 0), receivedAt }]))
      await consumer.caughtUp(0, 1, clock + 1)
      expect(await completeThrough()).toBe(clock + 1)

      await admin.close(0)
      await spools.look()
      await spools.look()
      expect(unreachable).toEqual([admin.url])
      expect(await completeThrough()).toBe(clock + 1)
    } finally {
      await spooled.close()
      await primary.close()
      await admin.close(0)
    }
  })
})

describe('a spool that vanished', () => {
  const gone = '4f1c0e6b9a2d7385'
  const goneUrl = 'http://127.0.0.1:1'
  const oldest = Date.now() - day

  /** Somebody at this address said that three deliveries are in this spool. */
  async function hold(holder: string, reported_at = oldest + 1_000): Promise<void> {
    const values = { place: 'spool', holder, records: 3, oldest_at: oldest, emptied_at: 0, stalled_since: 0 }
    const row = { ...values, code: '', reason: goneUrl, reported_at }
    await store.writer.insert({ table: 'rollcall.waiting_rows', values: [row], format: 'JSONEachRow' })
  }
  function commands() {
    const parsed = parseConfig({})
    if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
    const deps = { client: store.writer, config: parsed.config }
    return {
      forget: (given: { spool: string }) => runInStore(ledgerForget, given, deps),
      ledger: () => runInStore(ledgerCommand, { hours: 48 }, deps),
      async findSilent() {
        const facts = { config: parsed.config, client: store.reader, now: Date.now() }
        return (await runChecks(storeChecks, facts)).filter(({ code }) => code === 'spool_silent')
      },
    }
  }

  test('holds numbers back until it is forgotten; then its deliveries are lost, and the audit says who forgot it', async () => {
    const { forget, findSilent } = commands()
    const now = Date.now() - 60_000
    await createConsumer({ client: store.writer }).caughtUp(0, 0, now)
    await hold(gone)
    expect(await completeThrough()).toBe(oldest)
    expect(await findSilent()).toMatchObject([
      { code: 'spool_silent', todo: expect.stringContaining(`rollcall ledger forget ${gone}`) },
    ])
    const standing = await readStanding(ownReader(store.reader))
    expect(standingWords(standing, createFormat({ locale: 'en-GB', timeZone: 'UTC', now }))).toMatch(
      /; at .+, 3 webhooks were waiting, with no news since\./,
    )

    await expect(forget({ spool: goneUrl })).rejects.toThrow(/Known: 4f1c0e6b9a2d7385\./)

    await forget({ spool: gone })
    expect(await completeThrough()).toBe(now)
    expect(await findSilent()).toEqual([])
    expect(await ledger()).toMatchObject([{ given: 3, waiting: 0, lost: 3, difference: 0 }])
    expect(await wrong(now)).toMatchObject({
      ledger: { en: '3 acknowledged webhooks are not accounted for.' },
    })
    expect(await store.rows('SELECT action, detail FROM rollcall.access_audit')).toEqual([
      { action: 'spool_forgotten', detail: `${gone} of ${goneUrl}: 3 webhooks` },
    ])

    // It is found, and vanishes once more with as much.
    await store.writer.command({
      query: `ALTER TABLE rollcall.waiting_rows DELETE WHERE place = 'spool' SETTINGS mutations_sync = 2`,
    })
    await hold(gone, oldest + 2_000)
    await forget({ spool: gone })
    expect(await ledger()).toMatchObject([{ waiting: 0, lost: 6 }])
    const { url, close } = await serveSpool(gone, () => 3)
    await createSpoolWatch({ client: store.writer, urls: [url], onUnreachable: () => {} }).look()
    await close(0)
    expect(await ledger()).toMatchObject([{ given: 3, waiting: 3, lost: 0 }])
  })

  test('is not forgotten while it reports', async () => {
    await hold(gone, Date.now())
    await expect(commands().forget({ spool: gone })).rejects.toThrow('reports, so it is not gone')
    expect(await ledger()).toMatchObject([{ waiting: 3, lost: 0 }])
  })

  test('comes back under another address: its old report is gone, and that of no other spool', async () => {
    let held = 3
    const clock = Date.now() - 60_000
    const look = async (...servers: Awaited<ReturnType<typeof serveSpool>>[]) => {
      const urls = servers.map(({ url }) => url)
      await createSpoolWatch({ client: store.writer, urls, onUnreachable: () => {}, now: () => clock }).look()
      for (const server of servers) await server.close(0)
    }
    const consumer = createConsumer({ client: store.writer })
    const port = await findFreePort()
    await look(await serveSpool('pod', () => held, port))
    // Another process has its address now, and an empty spool.
    await look(await serveSpool('other', () => 0, port))
    const waits = { given: 3, waiting: 3, difference: 0 }
    expect(await ledger()).toMatchObject([waits])
    await look(await serveSpool('pod', () => held))
    expect(await ledger()).toMatchObject([waits])
    held = 0
    await look(await serveSpool('pod', () => held))
    await consumer.caughtUp(0, 0, clock + 1)
    expect(await ledger()).toMatchObject([{ given: 0, waiting: 0 }])
    expect(await completeThrough()).toBe(clock + 1)
  })
})

/** An ingest process that holds that many deliveries, the oldest of yesterday. */
function serveSpool(id: string, records: () => number, port = 0) {
  const stats = () =>
    Promise.resolve({ records: records(), oldestMs: day, bytes: 0, isSpooling: true, spooled: 0, drained: 0 })
  const handler = createSpoolApp({ id, stats })
  return listen({ handler, host: '127.0.0.1', port, portVariable: 'ADMIN_PORT' })
}

test('a report made while a batch is being stored counts none of its deliveries twice', async () => {
  const report = createWaitingReport(store.writer)
  const consumer = createConsumer({ client: store.writer })
  const records = ['a', 'b', 'c'].map((id, at) => toRecord(toBody('Created', id, monday), at))
  // To the log all of them wait until the batch is handled.
  const write = () =>
    report.write([{ partition: 0, records: records.length, oldestMs: 0 }], undefined, Date.now())
  const handler = report.watching({
    ...consumer,
    async handle(batch) {
      await write()
      expect(await ledger()).toMatchObject([{ given: 3, waiting: 3 }])
      await consumer.handle(batch)
      await write()
    },
  })
  await handler.handle(toBatch(records))
  expect(await ledger()).toEqual([{ given: 3, waiting: 0, stored: 3, lost: 0, difference: 0 }])
})
