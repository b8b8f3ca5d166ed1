import type { ClickHouseClient } from '@clickhouse/client'
import type { Prepared } from '../rows.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'

/** Keeps that a delivery came again, for the person who has its receipt. `repeated`: offsets. */
export async function storeRepeats(
  client: ClickHouseClient,
  partition: number,
  prepared: readonly Prepared[],
  repeated: ReadonlySet<number>,
): Promise<void> {
  const rows = prepared
    .filter(({ record }) => repeated.has(record.offset))
    .map(({ record }) => ({
      event_id: record.eventId,
      received_at: record.receivedAt,
      source: record.source,
      log_partition: partition,
      log_offset: record.offset,
    }))
  await insertRows(client, 'repeat_rows', rows)
}
