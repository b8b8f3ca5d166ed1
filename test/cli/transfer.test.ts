import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { endSchema, exportEvents } from '../../services/cli/commands/export-events.ts'
import { parseConfig } from '../../services/config/config.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { createRetentionJob } from '../../services/jobs/retention-job.ts'
import { fillDashboardState } from '../support/data/dashboard-state.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { fileDirectory } from '../support/directories.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { runCli, runInStore } from '../support/processes/cli.ts'
import { openProduct } from '../support/processes/product.ts'
import { deliver, readAssigned } from '../support/processes/embedded.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { isLong } from '../support/tiers.ts'
import { until } from '../support/wait.ts'

const directory = fileDirectory()
const exported = join(directory, 'exported.jsonl')
const searched = ['Ada Moreno', 'ada@example.com']
const ada = { id: 7, name: 'Ada Moreno', email: 'ada@example.com' }
const bo = { id: 8, name: 'Bo Lind é', email: 'bo@example.com', managers: [{ id: 7, name: 'Ada Moreno' }] }
const cy = { id: 9, name: 'Cy Young', email: 'cy@example.com' }
/** The last webhook: its body is kept. */
const lastBody = toBody('Completed', 'a2', monday + 3 * day, { isCompleted: true, passed: true }, cy)

/** Events without bodies and one with, a failed event with bytes that are not text, a repeat, records of people; one is erased. */
async function fill({ writer }: TestStore): Promise<void> {
  const consumer = createConsumer({ client: writer })
  const first = toBody('Created', 'a1', monday, {}, { ...ada, groups: [{ id: 't1', name: 'Sales' }] })
  const old = [
    first,
    toBody('Created', 'a2', monday + day, {}, bo),
    toBody(
      'Completed',
      'a1',
      monday + 2 * day,
      { isCompleted: true, passed: true, calculatedGrade: 0.1 },
      ada,
    ),
    Buffer.from([0xff, 0x00, 0x7b]),
  ].map((body, offset) => toRecord(body, offset))
  const late = [lastBody, first].map((body, index) => ({
    ...toRecord(body, 4 + index),
    receivedAt: Date.now(),
  }))
  await consumer.handle(toBatch([...old, ...late]))
  const pulled = {
    userId: '8',
    observedAtMs: monday + 4 * day,
    isDeleted: false,
    isPermanentlyDeleted: false,
  }
  const said = { teams: [], managers: ['7'], directReports: undefined, name: bo.name, email: bo.email }
  await storePulledPeople(writer, createPeople(writer), [{ ...pulled, ...said }])
  await fillDashboardState(writer, { userId: '8', name: bo.name, email: bo.email })
  await erasePerson({ client: writer, userId: '7', settle: () => Promise.resolve() })
  await createRetentionJob(writer, new Map([['bodies', 1]])).run({
    checkpoint: undefined,
    previous: undefined,
    startedAtMs: Date.now(),
    signal: new AbortController().signal,
    priority: 'job',
    advance: () => Promise.resolve(),
  })
}

beforeAll(async () => {
  const store = await openTestStore()
  await fill(store)
  const parsed = parseConfig({ DATA_DIR: directory })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const deps = {
    config: parsed.config,
    client: store.writer,
    streamer: store.streamer,
    consumer: createConsumer({ client: store.writer }),
    readProgress: () => Promise.resolve({ waiting: 0, oldestReceivedAt: undefined, failure: undefined }),
  }
  await runInStore(exportEvents, { file: exported }, deps)
  await store.close()
})

/** Lines without the last one, and without what is about the old log. */
const readRows = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(/"log_(partition|offset)":"?\d+"?/g, ''))
    .toSorted()

const importInto = (dataDir: string, file = exported) =>
  runCli(['import-events', file], { DATA_DIR: join(directory, dataDir) })

test('export-events writes kept bodies, facts of events without bodies, and nothing about an erased person', () => {
  const text = readFileSync(exported, 'utf8')
  const { counts } = endSchema.parse(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).end
  expect(counts).toMatchObject({
    event_rows: 4,
    event_bodies: 1,
    failed_event_rows: 1,
    erasures: expect.any(Number),
  })
  expect(text).toContain(Buffer.from(lastBody).toString('base64'))
  for (const name of searched) expect(text).not.toContain(name)
})

test('import-events fills an empty store with the same rows and metrics, and refuses another store', async () => {
  const imported = await importInto('target')
  expect(imported, imported.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('Counts and metrics agree'),
  })
  const again = join(directory, 'again.jsonl')
  expect(await runCli(['export-events', again], { DATA_DIR: join(directory, 'target') })).toMatchObject({
    code: 0,
  })
  const [before, after] = [new Set(readRows(exported)), readRows(again)]
  expect(after.filter((row) => !before.delete(row))).toEqual([])
  expect([...before]).toEqual([])
  expect(await importInto('target')).toMatchObject({ code: 2, err: expect.stringContaining('not empty') })
})

test('import-events refuses a file that was cut or changed', async () => {
  const lines = readFileSync(exported, 'utf8').trimEnd().split('\n')
  const cut = join(directory, 'cut.jsonl')
  writeFileSync(cut, lines.slice(0, -1).join('\n'))
  expect(await importInto('cut', cut)).toMatchObject({ code: 1, err: expect.stringContaining('is cut') })
  const changed = join(directory, 'changed.jsonl')
  writeFileSync(changed, lines.map((line) => line.replace('"a2"', '"a1"')).join('\n'))
  expect(await importInto('changed', changed)).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not agree with the export: metrics'),
  })
})

const broker = isLong ? await findBroker() : undefined
if (broker !== undefined) {
  test.runIf(isLong)(
    'import-events into ClickHouse keeps the numbers, and an old webhook that arrives again is a repeat',
    async () => {
      const options = { directory, broker, isMigrated: false, isStarted: false }
      const distributed = await openProduct('distributed', options)
      onTestFinished(() => distributed.dispose())
      const imported = await runCli(['import-events', exported], distributed.env)
      expect(imported, imported.err).toMatchObject({ code: 0 })

      await distributed.start()
      const assigned = await readAssigned(distributed.dashboardUrl)
      await deliver(distributed.ingestUrl, lastBody)
      await deliver(distributed.ingestUrl, toBody('Created', 'new', monday + day, {}, ada))
      const deliveredAt = Date.now()
      // They may be in two partitions.
      await until(async () => Number(await distributed.completeThrough()) >= deliveredAt)
      await until(async () => (await readAssigned(distributed.dashboardUrl)) === assigned + 1)
      const again = join(directory, 'distributed.jsonl')
      const repeats = () =>
        runCli(['export-events', again, '--json'], distributed.env).then(({ out, err }) => {
          expect(out, err).toContain('"outcome": "done"')
          return readRows(again).filter((line) => line.startsWith('{"table":"repeat_rows"'))
        })
      expect(await repeats()).toHaveLength(2)
      expect(readFileSync(again, 'utf8')).not.toContain('Ada Moreno')
    },
  )
}
