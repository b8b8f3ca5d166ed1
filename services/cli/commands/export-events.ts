/**
 * `rollcall export-events`: everything that another store needs, as JSON lines: events with their bodies where these are kept, what
 * was pulled, erasures, and the records of people. One line a row, `{"table": ..., "row": {...}}`. The last line says how many rows
 * there are, and what `/api/metrics` answers of them.
 */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { isDistributed } from '../../config/config.ts'
import { CommandError, defineCommand, present } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { select } from '../statements.ts'
import { toConfigEntries } from './tokens.ts'

export type CarriedTable = { table: string; columns: string[]; isKeptForever: boolean }

/** Every table but those that follow from others, and those that are about one store and its log. */
export const listCarriedTables = (client: ClickHouseClient) => select<CarriedTable>(client, 'carried-tables')

const settingsSchema = z.object({
  timeZone: z.string(),
  dueZone: z.string(),
  dueEnd: z.enum(['end_of_day', 'instant']),
})
type Settings = z.infer<typeof settingsSchema>

export const endSchema = z.object({
  end: z.object({
    exportedAt: z.number(),
    settings: settingsSchema,
    /** Rows by table. */
    counts: z.record(z.string(), z.number()),
    /** What `/api/metrics` answers, by moments. */
    metrics: z.unknown(),
  }),
})
export type ExportEnd = z.infer<typeof endSchema>['end']

const dayMs = 86_400_000
const daysAgo = [0, 7, 30, 90]

/** All metrics now and at three earlier moments, as JSON carries them. */
export async function readMetrics(client: ClickHouseClient, now: number, settings: Settings): Promise<unknown> {
  const queries = createQueries(ownReader(client))
  const answers: unknown[] = []
  for (const days of daysAgo) {
    const asOf = now - days * dayMs
    const scope = { ...createScope(now, settings), asOf }
    answers.push({ asOf, metrics: (await queries.metrics(scope)).metrics })
  }
  return JSON.parse(JSON.stringify(answers)) as unknown
}

export function createExportEventsCommand({ config, client, streamer, consumer, readProgress }: CommandDeps) {
  return defineCommand(z.object({ file: z.string().min(1) }), async ({ file }, { report, signal }) => {
    if (existsSync(file)) throw new CommandError('usage', `There is a file ${file} already.`)
    const part = `${file}.part`
    // Names and tokens are in it.
    const out = await open(part, 'w', 0o600).catch((cause: Error) => {
      throw new CommandError('usage', `The file ${file} cannot be written: ${cause.message}.`, { cause })
    })
    try {
      const counts = await consumer.exclusively(writeAll)
      await out.sync()
      await rename(part, file)
      const { waiting } = await readProgress()
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        outcome: waiting > 0 ? 'problems' : 'done',
        lines: present([
          `${file} has ${rows} rows, ${counts['event_rows'] ?? 0} of them events. Names, e-mails and hashes of tokens are in it.`,
          !isDistributed(config) &&
            `Elsewhere the registered addresses stay valid with INGEST_TOKENS=${toConfigEntries(config).join(',')}`,
          waiting > 0 &&
            `${waiting} deliveries wait in the log and are not in it: let them be stored, and export again.`,
        ]),
        data: { file, counts, waiting },
      }
    } finally {
      await out.close()
      await rm(part, { force: true })
    }

    async function writeAll(): Promise<Record<string, number>> {
      const counts: Record<string, number> = {}
      const tables = await listCarriedTables(client)
      for (const [index, { table, columns }] of tables.entries()) {
        signal.throwIfAborted()
        report({ step: 'Exporting tables', done: index, total: tables.length })
        // Bodies are bytes, which JSON cannot carry.
        const read = columns.map((name) => (name === 'body' ? 'base64Encode(body) AS body_base64' : `\`${name}\``))
        const answer = await streamer.query({
          query: `SELECT ${read.join(', ')} FROM rollcall.${table} SETTINGS final = 1,
            output_format_json_quote_64bit_integers = 1, output_format_json_quote_denormals = 1`,
          format: 'JSONEachRow',
        })
        let count = 0
        for await (const rows of answer.stream()) {
          signal.throwIfAborted()
          count += rows.length
          await out.appendFile(rows.map(({ text }) => `{"table":"${table}","row":${text}}\n`).join(''))
        }
        counts[table] = count
      }
      report({ step: 'Reading the metrics' })
      const { timeZone, dueZone, dueEnd } = config
      const [exportedAt, settings] = [Date.now(), { timeZone, dueZone, dueEnd }]
      const end: ExportEnd = { exportedAt, settings, counts, metrics: await readMetrics(client, exportedAt, settings) }
      await out.appendFile(`${JSON.stringify({ end })}\n`)
      return counts
    }
  })
}
