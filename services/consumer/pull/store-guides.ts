import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformGuide } from '../../../schemas/platform/guide.ts'
import { readErasedPeople } from '../erasure/erased-people.ts'
import { insertRows } from '../store/insert-rows.ts'
import { toGuideRow } from './guide-rows.ts'

/** Stores one page of guides. Names of erased people stay out of their titles. */
export async function storeGuides(
  client: ClickHouseClient,
  guides: readonly PlatformGuide[],
  observedAtMs: number,
): Promise<void> {
  const titles = (await readErasedPeople(client))?.titles ?? new Map<string, string>()
  await insertRows(
    client,
    'guide_rows',
    guides.map((guide) => toGuideRow(guide, observedAtMs, titles)),
  )
}
