/**
 * Asks the ingest processes for the contents of their spools, and writes them to the store: these deliveries are in no log yet, and
 * numbers must not claim to be complete past them. A process that does not answer keeps its last report. A spool is known by the id that
 * lies in its directory: a container that starts anew has the same directory and another address.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { BatchHandler } from '../event-log/event-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { select } from './statements.ts'

const spoolSchema = z.object({
  id: z.string(),
  records: z.number(),
  oldest_received_at: z.iso.datetime().nullable(),
})

type SpoolsOptions = {
  client: ClickHouseClient
  /** Admin addresses of ingest processes; a host name with several addresses stands for all of them. */
  urls: readonly string[]
  /** Told of an address that does not answer, once until it does. */
  onUnreachable: (unreachable: { url: string; cause: unknown }) => void
  /** Epoch ms; default the machine's clock. */
  now?: () => number
}

type Report = { records: number; oldestAt: number }

type SpoolWatch = ReturnType<typeof createSpoolWatch>

/** One look at all of them. */
export function createSpoolWatch(options: SpoolsOptions) {
  const { client, urls, onUnreachable, now = Date.now } = options
  const silent = new Set<string>()

  /** The row to write; `undefined` where the store knows it all. */
  async function lookAt(
    url: string,
    reports: ReadonlyMap<string, Report>,
  ): Promise<Record<string, unknown> | undefined> {
    let spool: z.infer<typeof spoolSchema>
    try {
      const answer = await fetch(new URL('/spool', url), { signal: AbortSignal.timeout(2_000) })
      spool = spoolSchema.parse(await answer.json())
      silent.delete(url)
    } catch (cause) {
      if (!silent.has(url)) onUnreachable({ url, cause })
      silent.add(url)
      return undefined
    }
    const reportedAt = now()
    const before = reports.get(spool.id)
    const isEmpty = spool.records === 0
    if (isEmpty && (before === undefined || before.records === 0)) return undefined
    const oldestAt =
      spool.oldest_received_at === null ? (before?.oldestAt ?? 0) : Date.parse(spool.oldest_received_at)
    return {
      place: 'spool',
      holder: spool.id,
      records: spool.records,
      oldest_at: oldestAt,
      emptied_at: isEmpty ? reportedAt : 0,
      stalled_since: 0,
      code: '',
      reason: url,
      reported_at: reportedAt,
    }
  }

  return {
    async look(): Promise<void> {
      const addresses = (await Promise.all(urls.map(toAddresses))).flat()
      if (addresses.length === 0) return
      // The store is asked each time: another process may have looked since the last time.
      const reports = await readReports(client)
      const rows = await Promise.all(addresses.map((url) => lookAt(url, reports)))
      await insertRows(
        client,
        'waiting_rows',
        rows.filter((row) => row !== undefined),
      )
    },
  }
}

/**
 * The same handler, which looks at the spools before it resumes the first partition: while Kafka is away nobody has that partition and
 * looks, and as soon as it is back everything would count as complete.
 */
export function withSpoolsFirst(handler: BatchHandler, spools: Pick<SpoolWatch, 'look'>): BatchHandler {
  return {
    ...handler,
    async resumeFrom(partition, logId) {
      if (partition === 0) await spools.look()
      return handler.resumeFrom(partition, logId)
    },
  }
}

async function readReports(client: ClickHouseClient): Promise<Map<string, Report>> {
  const rows = await select<Report & { holder: string }>(client, 'known-spools')
  return new Map(rows.map(({ holder, ...report }) => [holder, report]))
}

/** Each address that a host name stands for. An encrypted one is asked by its name, which its certificate says. */
async function toAddresses(url: string): Promise<string[]> {
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' || isIP(parsed.hostname.replace(/^\[|\]$/g, '')) !== 0)
    return [parsed.origin]
  const addresses = await lookup(parsed.hostname, { all: true }).catch(() => [])
  if (addresses.length === 0) return [parsed.origin]
  return addresses.map(({ address, family }) => {
    const host = family === 6 ? `[${address}]` : address
    return `http://${host}:${parsed.port || '80'}`
  })
}
