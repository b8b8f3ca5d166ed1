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

type Known = { place: 'spool' | 'lost'; holder: string; records: number; oldestAt: number }

type SpoolWatch = ReturnType<typeof createSpoolWatch>

/** One look at all of them. */
export function createSpoolWatch(options: SpoolsOptions) {
  const { client, urls, onUnreachable, now = Date.now } = options
  const silent = new Set<string>()

  /** Empty if the store knows it all. A spool that was given up and is found is no longer lost. */
  async function lookAt(url: string, known: readonly Known[]): Promise<Record<string, unknown>[]> {
    let spool: z.infer<typeof spoolSchema>
    try {
      const answer = await fetch(new URL('/spool', url), { signal: AbortSignal.timeout(2_000) })
      spool = spoolSchema.parse(await answer.json())
      silent.delete(url)
    } catch (cause) {
      if (!silent.has(url)) onUnreachable({ url, cause })
      silent.add(url)
      return []
    }
    const { id, records, oldest_received_at: oldest } = spool
    const before = known.find(({ place, holder }) => place === 'spool' && holder === id)
    const lost = known.filter(
      (each) => each.place === 'lost' && each.records > 0 && each.holder.startsWith(`${id} `),
    )
    const reportedAt = now()
    const toRow = (report: Known) => ({
      place: report.place,
      holder: report.holder,
      records: report.records,
      oldest_at: report.oldestAt,
      emptied_at: report.records === 0 ? reportedAt : 0,
      stalled_since: 0,
      code: '',
      reason: url,
      reported_at: reportedAt,
    })
    const found = lost.map((each) => toRow({ ...each, records: 0 }))
    if (records === 0 && (before?.records ?? 0) === 0) return found
    const oldestAt = oldest === null ? (before?.oldestAt ?? 0) : Date.parse(oldest)
    return [...found, toRow({ place: 'spool', holder: id, records, oldestAt })]
  }

  return {
    async look(): Promise<void> {
      const addresses = (await Promise.all(urls.map(toAddresses))).flat()
      if (addresses.length === 0) return
      // The store is asked each time: another process may have looked since the last time.
      const known = await select<Known>(client, 'known-spools')
      const rows = await Promise.all(addresses.map((url) => lookAt(url, known)))
      await insertRows(client, 'waiting_rows', rows.flat())
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
