/**
 * Which event log the store reads. Its positions keep the id of the log, and another log is refused until `rollcall log adopt` takes it. An
 * adopted log is read from its first record. Its offsets continue after all that are stored, so places in the log stay in order.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { StartError } from '../config/start-error.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { select } from './statements.ts'

/** `begin`: the store's offset of the log's offset 0. */
export type StoreLog = { id: string; begin: number }

/** The log that the store reads; more than one where several were taken at once. */
export function readStoreLogs(client: ClickHouseClient): Promise<StoreLog[]> {
  return select<StoreLog>(client, 'logs-of-store')
}

/** Throws a `StartError` if the store reads another log. */
export async function checkLog(client: ClickHouseClient, id: string): Promise<StoreLog> {
  const logs = await readStoreLogs(client)
  const other = logs.find((log) => log.id !== id)
  if (other === undefined) return { id, begin: logs[0]?.begin ?? 0 }
  throw new StartError(
    `This is not the event log that the store has read: its id is ${id}, and not ${other.id}. ` +
      'To read it from its first record, run: rollcall log adopt.',
  )
}

/**
 * From now on the store reads this log, from its first record: another one, or its own once more. Returns how many deliveries of
 * another log before are lost.
 */
export async function adoptLog(client: ClickHouseClient, id: string): Promise<number> {
  const [row] = await select<{ end: number }>(client, 'end-of-positions')
  const isOther = (await readStoreLogs(client)).some((log) => log.id !== id)
  type Waiting = { holder: string; records: number; oldest_at: number }
  // Nobody reads them any more.
  const waiting = isOther ? await select<Waiting>(client, 'waiting-in-log') : []
  const none = { emptied_at: 0, stalled_since: 0, code: '', reason: '', reported_at: Date.now() }
  const rows = waiting.flatMap((part) => [
    { ...part, ...none, place: 'lost', holder: `log before ${id}: ${part.holder}` },
    { ...part, ...none, place: 'log', records: 0, oldest_at: 0 },
  ])
  await insertRows(client, 'waiting_rows', rows)
  await recordBegin(client, { id, begin: (row?.end ?? 0) + 1 }, [0])
  return waiting.reduce((sum, { records }) => sum + records, 0)
}

/** These partitions are at the begin of the log: nothing counts as complete before each has another position. */
export async function recordBegin(
  client: ClickHouseClient,
  { id, begin }: StoreLog,
  partitions: readonly number[],
): Promise<void> {
  const place = { first_offset: begin, next_offset: begin, skipped: 0, ledger: [] }
  const common = { ...place, recorded_at: Date.now(), complete_through: 0, log_id: id, log_begin: begin }
  await insertRows(
    client,
    'log_positions',
    partitions.map((partition) => ({ ...common, log_partition: partition })),
  )
}
