/** Parts that a mutation replaces stay on disk as inactive parts until the engine removes them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { execute, select } from './statements.ts'

/** The embedded engine needs one look, or 40 s where it may not be asked; a server keeps old parts for eight minutes. */
const maxLooks = 60
const lookIntervalMs = 1_000

const accessDenied = '497'

/** Gives how many are left. */
export async function removeOldParts(client: ClickHouseClient): Promise<number> {
  for (let look = 1; ; look++) {
    try {
      await execute(client, 'remove-old-parts')
    } catch (error) {
      // On a server this is the administrator's right. There the server's own schedule counts.
      if ((error as { code?: string }).code !== accessDenied) throw error
      look = maxLooks
    }
    const [old] = await select<{ parts: number }>(client, 'old-parts')
    if (old === undefined || old.parts === 0 || look === maxLooks) return old?.parts ?? 0
    await sleep(lookIntervalMs)
  }
}
