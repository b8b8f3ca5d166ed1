import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformGuide } from '../../../schemas/platform/guide.ts'
import { readErasedPeople } from '../../erasure/erased-people.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-what-can-be.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toGuideRow } from './guide-rows.ts'

/** Stores one page of guides. Returns how many the store refuses. Names of erased people stay out of their titles. */
export async function storeGuides(
  client: ClickHouseClient,
  guides: readonly PlatformGuide[],
  observedAtMs: number,
): Promise<number> {
  const titles = (await readErasedPeople(client))?.titles ?? new Map<string, string>()
  const rows = guides.map((guide) => toGuideRow(guide, observedAtMs, titles))
  return storeWhatCanBe(rows, (some) => insertRows(client, 'guide_rows', some))
}
