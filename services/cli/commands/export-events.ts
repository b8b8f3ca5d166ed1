/**
 * `rollcall export-events`: everything that another store needs, as JSON lines: events (with their bodies if
 * they are kept), pulled data, erasures, and records. Each line is one row, `{"table": ..., "row": {...}}`.
 * The last line has the row counts and the metrics of the store.
 */
import { existsSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isDistributed } from '../../config/config.ts'
import { CommandError, present, type CommandIo } from '../../runtime/control/command.ts'
import { storeCommand, text } from '../command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { select } from '../statements.ts'
import { findLiveTokens, toEntry } from '../webhook-tokens.ts'

export type CarriedTable = { table: string; columns: string[]; isKeptForever: boolean }

/** Every table except derived ones and those about one store and its log. */
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
    /** The answers of `/api/metrics` at several moments. */
    metrics: z.unknown(),
  }),
})
export type ExportEnd = z.infer<typeof endSchema>['end']

const dayMs = 86_400_000
const daysAgo = [0, 7, 30, 90]

/** All metrics now and at three earlier moments, as JSON carries them. */
export async function readMetrics(
  client: ClickHouseClient,
  now: number,
  settings: Settings,
): Promise<unknown> {
  const { createQueries } = await import('../../../reporting/queries/queries.ts')
  const { ownReader } = await import('../../../reporting/read/reader.ts')
  const { createScope } = await import('../../../reporting/scope/parse-scope.ts')
  const queries = createQueries(ownReader(client))
  const answers: unknown[] = []
  for (const days of daysAgo) {
    const asOf = now - days * dayMs
    const scope = { ...createScope(now, settings), asOf }
    answers.push({ asOf, metrics: (await queries.metrics(scope)).metrics })
  }
  return JSON.parse(JSON.stringify(answers)) as unknown
}

export const exportEvents = storeCommand({
  usage: 'export-events <file>',
  summary: 'Write all events, pulled data, erasures and records to a file of JSON lines.',
  examples: ['rollcall export-events /backups/rollcall.jsonl'],
  options: z.object({ file: text.transform((path) => resolve(path)) }),
  async run({ file }, deps, io) {
    if (existsSync(file)) throw new CommandError('usage', `The file ${file} exists already.`)
    const part = `${file}.part`
    // It holds names and tokens.
    const out = await open(part, 'w', 0o600).catch((cause: Error) => {
      throw new CommandError('usage', `The file ${file} cannot be written: ${cause.message}.`, { cause })
    })
    try {
      const counts = await deps.consumer.exclusively(() => writeAll(deps, out, io))
      await out.sync()
      await rename(part, file)
      const { waiting } = await deps.readProgress()
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        outcome: waiting > 0 ? 'problems' : 'done',
        lines: present([
          `${file} has ${rows} rows, ${counts['event_rows'] ?? 0} of them events. It holds names, emails and hashes of tokens.`,
          !isDistributed(deps.config) &&
            `Registered addresses stay valid elsewhere with INGEST_TOKENS=${findLiveTokens(deps.config).map(toEntry).join(',')}`,
          waiting > 0 &&
            `${waiting} webhooks wait in the log and were not exported. Export again when they are stored.`,
        ]),
        data: { file, counts, waiting },
      }
    } finally {
      await out.close()
      await rm(part, { force: true })
    }
  },
})

async function writeAll(
  { config, client, streamer }: CommandDeps,
  out: FileHandle,
  { report, signal }: CommandIo,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const tables = await listCarriedTables(client)
  for (const [index, { table, columns }] of tables.entries()) {
    signal.throwIfAborted()
    report({ step: 'Exporting tables', done: index, total: tables.length })
    // Bodies are bytes, which JSON cannot carry.
    const read = columns.map((name) =>
      name === 'body' ? 'base64Encode(body) AS body_base64' : `\`${name}\``,
    )
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
  const end: ExportEnd = {
    exportedAt,
    settings,
    counts,
    metrics: await readMetrics(client, exportedAt, settings),
  }
  await out.appendFile(`${JSON.stringify({ end })}\n`)
  return counts
}
