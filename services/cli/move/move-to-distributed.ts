/** `rollcall migrate-to-distributed`: copies DATA_DIR to ClickHouse and creates the topic. */
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../clickhouse/migrate.ts'
import { openClickHouseServer, toServerOptions } from '../../clickhouse/open-server.ts'
import { movedPartition } from '../../consumer/batch-steps.ts'
import { toKafkaSettings, toTopicSettings } from '../../event-log/kafka/config.ts'
import { createKafka } from '../../event-log/kafka/settings.ts'
import { ensureTopic, toStartError } from '../../event-log/kafka/topic.ts'
import { CommandError, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import type { ConfigWith } from '../../config/config.ts'
import { replaceFile } from '../../config/whole-file.ts'
import { findRunning } from '../../runtime/control/control-client.ts'
import { createLogger } from '../../runtime/logger.ts'
import { toConfigEntries } from '../commands/tokens.ts'
import { hasStore } from '../../clickhouse/directory/store-directory.ts'
import { openEmbeddedStore } from '../open-embedded-store.ts'
import { compareStores } from './compare-stores.ts'
import { copyStore } from './copy-store.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { select } from '../statements.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export async function moveToDistributed(
  config: ConfigWith<'kafkaBrokers' | 'clickhouseUrl'>,
  { report, signal }: CommandIo,
): Promise<CommandResult> {
  const { dataDir } = config
  if (!hasStore(dataDir))
    throw new CommandError('usage', `There is no store in ${dataDir}. Set DATA_DIR to the installation to move.`)
  const running = await findRunning(dataDir)
  if (running !== undefined) {
    throw new CommandError(
      'failed',
      `Rollcall runs on ${dataDir} (process ${running.pid}). Stop it first; the platform is then told 503 or reaches nobody.`,
    )
  }
  report({ step: 'Storing the rest of the local log' })
  const embedded = await openEmbeddedStore({ ...config, kafkaBrokers: undefined, clickhouseUrl: undefined })
  try {
    await embedded.storeLog()
    const { client: source, streamer } = embedded.deps
    const server = await openClickHouseServer(toServerOptions(config, 'write'))
    try {
      const target = server.writer
      report({ step: 'Preparing the topic and the schema' })
      const logger = createLogger({ part: 'cli', level: 'silent' })
      await ensureTopic(createKafka(toKafkaSettings(config), logger), toTopicSettings(config)).catch(
        (error: unknown) => {
          throw toStartError(error)
        },
      )
      await migrate(target, { server: { cluster: config.clickhouseCluster } })

      const marks = await begin(dataDir, config.clickhouseUrl, target)
      const { rows } = await copyStore({
        source,
        sourceStreamer: streamer,
        target,
        isDone: (table) => marks.done.includes(table),
        markDone(table) {
          marks.done.push(table)
          writeMarks(dataDir, marks)
        },
        report,
        signal,
      })
      // New rows may not be on every replica yet.
      await pause(config.clickhouseCluster === undefined ? 0 : 2_000)
      const agreements = await compareStores(source, target, {
        config,
        now: Date.now(),
        report: (what) => report({ step: `Comparing: ${what}` }),
      })
      const differing = agreements.filter(({ agrees }) => !agrees)
      if (differing.length === 0) writeMarks(dataDir, { ...marks, verified_at: new Date().toISOString() })
      const tokens = toConfigEntries(config)
      return {
        outcome: differing.length === 0 ? 'done' : 'problems',
        lines: [
          `${rows} rows copied to ${config.clickhouseUrl}${rows === 0 ? ' (all were there)' : ''}.`,
          ...agreements.map(({ what, agrees, source, target }) =>
            agrees ? `  agrees: ${what} (${source})` : `  DIFFERS: ${what}, ${source} here and ${target} there`,
          ),
          ...(differing.length === 0
            ? [
                'Everything agrees. Now start the processes: npm run consumer, npm run ingest, npm run dashboards, with',
                `  INGEST_TOKENS=${tokens.join(',')}`,
                'and let the address that the platform knows lead to the new ingest. Keep DATA_DIR until you are content; do not start it again.',
              ]
            : [
                'Run it again; if it still differs, delete move.json in DATA_DIR and the database rollcall at the target, and start over.',
              ]),
        ],
        data: { rows, agreements, ingest_tokens: tokens },
      }
    } finally {
      await server.close()
    }
  } finally {
    await embedded.close()
  }
}

/** Only into an empty target, or one that this move started; never among other data. */
async function begin(dataDir: string, target: string, client: ClickHouseClient): Promise<Marks> {
  const before = readMarks(dataDir)
  const [previous] = await select<{ positions: number; events: number }>(client, 'foreign-positions', {
    moved: movedPartition,
  })
  if (previous !== undefined && previous.positions > 0) {
    throw new CommandError(
      'failed',
      `Consumers have stored events at ${target} already. Move into an empty one, and start them afterwards.`,
    )
  }
  const isOurs = before !== undefined && before.target === target
  if (previous !== undefined && previous.events > 0 && !isOurs) {
    throw new CommandError('failed', `There are events at ${target} already, from elsewhere. Move into an empty one.`)
  }
  // Marks are void if the target has been emptied since.
  const marks: Marks = isOurs && previous !== undefined && previous.events > 0 ? before : { target, done: [] }
  writeMarks(dataDir, marks)
  return marks
}

/** The progress of a move, in the data directory that is moved, so that it can continue after any interruption. */
const marksSchema = z.object({
  /** The target: a move to another target starts over. */
  target: z.string(),
  done: z.array(z.string()),
  /** When everything was found to agree, ISO 8601. */
  verified_at: z.string().optional(),
})
export type Marks = z.infer<typeof marksSchema>

export function readMarks(dataDir: string): Marks | undefined {
  try {
    return marksSchema.parse(JSON.parse(readFileSync(toPath(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function writeMarks(dataDir: string, marks: Marks): void {
  replaceFile(toPath(dataDir), `${JSON.stringify(marks, null, 2)}\n`)
}

function toPath(dataDir: string): string {
  return join(dataDir, 'move.json')
}
