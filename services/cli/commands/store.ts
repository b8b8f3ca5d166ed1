/** `rollcall store rebuild`: a new store from all readable rows of the old one and from the event log. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStoreBeforeRelease } from '../../clickhouse/before-release.ts'
import { migrate } from '../../clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../clickhouse/open-embedded.ts'
import { salvageStore, type Salvaged } from '../../repair/salvage-store.ts'
import { finishUpgrade } from '../../clickhouse/directory/upgrade.ts'
import { lockStore, replaceStore } from '../../clickhouse/directory/store-directory.ts'
import { isDistributed, type Config } from '../../config/config.ts'
import { createConsumer } from '../../consumer/consumer.ts'
import { replayLog, type ReplayLogResult } from '../../jobs/replay/replay-log.ts'
import { refoldAll } from '../../consumer/store/refold-all.ts'
import { createPeople } from '../../consumer/store/store-people.ts'
import { scanLocalLog } from '../../event-log/local/scan-log.ts'
import { CommandError, present, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'

/** Follows from other tables: computed again as soon as a row of it is lost. */
const folded = new Set(['open_versions', 'closed_versions', 'user_versions', 'link_versions'])

export async function rebuildStore(config: Config, { report, signal }: CommandIo): Promise<CommandResult> {
  if (isDistributed(config)) {
    throw new CommandError('usage', 'The store is a ClickHouse server: restore it from its backup (docs/backup.md).')
  }
  const directory = join(config.dataDir, 'clickhouse')
  const lock = lockStore(directory)
  try {
    if (!existsSync(directory)) throw new CommandError('usage', `There is no store in ${directory}.`)
    // Whatever an earlier try has left.
    const built = `${directory}.building`
    rmSync(built, { recursive: true, force: true })
    const { salvaged, replayed } = await build(directory, built, config, { report, signal })
    const asideIn = replaceStore(directory, built, new Date())
    finishUpgrade(directory)
    rmSync(`${built}.lock`, { force: true })
    return toResult(salvaged, replayed, directory, asideIn)
  } finally {
    lock.close()
  }
}

async function build(
  from: string,
  directory: string,
  config: Config,
  { report, signal }: Pick<CommandIo, 'report' | 'signal'>,
): Promise<{ salvaged: Salvaged; replayed: ReplayLogResult | undefined }> {
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const client = clickhouse.writer
  try {
    await migrate(client)
    const salvaged = await salvageStore({
      from,
      client,
      onTable: (table, done, total) => report({ step: `Taking over ${table}`, done, total }),
    })
    const people = createPeople(client)
    const hasLost = salvaged.tables.some(
      ({ table, lost, lostParts }) => folded.has(table) && lost + lostParts.length > 0,
    )
    // Another version may have folded otherwise.
    if (hasLost || isStoreBeforeRelease(from)) {
      for (const table of folded) await client.command({ query: `TRUNCATE TABLE rollcall.${table}` })
      await refoldAll(client, people, (done, total) => report({ step: 'Folding every state again', done, total }))
    }
    const log = join(config.dataDir, 'log')
    const replayed = existsSync(log)
      ? await replayLog({ slices: scanLocalLog(log), consumer: createConsumer({ client }), report, signal })
      : undefined
    return { salvaged, replayed }
  } finally {
    await clickhouse.close()
  }
}

function toResult(
  { tables, unknown }: Salvaged,
  replayed: ReplayLogResult | undefined,
  directory: string,
  asideIn: string,
): CommandResult {
  const damaged = tables.filter(({ lost, lostParts }) => lost + lostParts.length > 0)
  const isWhole = unknown.length === 0 && damaged.every(({ table }) => folded.has(table))
  return {
    outcome: isWhole ? 'done' : 'problems',
    lines: present([
      `${directory} is a new store, with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of the old one.`,
      replayed === undefined || replayed.records === 0
        ? 'The event log has nothing.'
        : `${replayed.records} deliveries since ${replayed.oldest} were stored again from the event log.`,
      ...damaged.map(({ table, lost, lostParts }) => {
        const parts = lostParts.length > 0 ? ` and the parts ${lostParts.join(', ')}` : ''
        const again = folded.has(table) ? '; all of it was folded again from the events' : ''
        return `${table}: ${lost} rows${parts} could not be read${again}.`
      }),
      ...unknown.map((path) => `${path} has rows that are of no table of this version. They were not taken over.`),
      !isWhole &&
        'What was received before the oldest delivery in the log may be missing: rollcall backfill asks the platform.',
      `The old store is in ${asideIn}. Delete it once you do not need it any more; the two share files, so it takes little room.`,
    ]),
    data: { directory, aside_in: asideIn, tables, unknown, replayed: replayed ?? null },
  }
}
