/** For processes that only read: they wait until the consumer has created the schema. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { StartError } from '../../config/start-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { readRecorded, readSchemaFiles } from '../migrate.ts'

const askIntervalMs = 500

/** Throws a `StartError` when the schema does not appear in time. A newer schema is fine: migrations only add. */
export async function waitForSchema(client: ClickHouseClient, timeoutMs: number): Promise<void> {
  const names = readSchemaFiles('migrations').map((file) => file.name)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const applied = await readApplied(client)
    if (names.every((name) => applied.has(name))) return
    if (performance.now() > deadline) {
      throw new StartError(
        `The store has not the schema of this version yet (${names.length - applied.size} migrations are missing). Start the consumer of this version: it brings it there.`,
      )
    }
    await pause(askIntervalMs)
  }
}

async function readApplied(client: ClickHouseClient): Promise<Set<string>> {
  try {
    return new Set((await readRecorded(client)).keys())
  } catch (error) {
    if (error instanceof StoreError && ['UNKNOWN_TABLE', 'UNKNOWN_DATABASE'].includes(error.type)) return new Set()
    throw error
  }
}
