/** `rollcall store rebuild`: a new store from all readable rows of the old one and from the event log. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { isStoreBeforeRelease } from '../../clickhouse/before-release.ts'
import { buildStore, type Salvaged } from '../../repair/salvage-store.ts'
import { finishUpgrade } from '../../clickhouse/directory/upgrade.ts'
import { lockStore, replaceStore } from '../../clickhouse/directory/store-directory.ts'
import { isDistributed, type Config } from '../../config/config.ts'
import { createConsumer } from '../../consumer/consumer.ts'
import { replayLog, type ReplayLogResult } from '../../jobs/replay.ts'
import { refoldAll } from '../../consumer/store/refold.ts'
import { createPeople } from '../../consumer/store/store-people.ts'
import { scanLocalLog } from '../../event-log/local/log-use.ts'
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
    const built = `${directory}.building`
    const { salvaged, replayed } = await buildStore(directory, built, report, async (client, salvaged) => ({
      salvaged,
      replayed: await fill(client, salvaged, config, { report, signal }),
    }))
    const asideIn = replaceStore(directory, built, new Date())
    finishUpgrade(directory)
    rmSync(`${built}.lock`, { force: true })
    return toResult(salvaged, replayed, directory, asideIn)
  } finally {
    lock.close()
  }
}

async function fill(
  client: ClickHouseClient,
  { tables, byColumns }: Salvaged,
  { dataDir, userAttributes }: Config,
  { report, signal }: Pick<CommandIo, 'report' | 'signal'>,
): Promise<ReplayLogResult | undefined> {
  const people = createPeople(client, { attributes: userAttributes })
  const whole = tables.filter(({ table, lost, lostParts }) => !byColumns.has(table) && lost + lostParts.length === 0)
  const mustFold = [...folded].some((name) => !whole.some(({ table }) => table === name))
  // Another version may have folded otherwise.
  if (mustFold || isStoreBeforeRelease(join(dataDir, 'clickhouse'))) {
    for (const table of folded) await client.command({ query: `TRUNCATE TABLE rollcall.${table}` })
    const onShare = (done: number, total: number) => report({ step: 'Folding every state again', done, total })
    await refoldAll(client, people, onShare)
  }
  const log = join(dataDir, 'log')
  if (!existsSync(log)) return undefined
  return replayLog({ slices: scanLocalLog(log), consumer: createConsumer({ client, people }), report, signal })
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
