/** For processes that only read: they wait until the consumer has created the schema. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { StartError } from '../../config/start-error.ts'
import { readSchemaFiles } from '../migrate.ts'

const askIntervalMs = 500

/** Throws a `StartError` when the schema does not appear in time. A newer schema is fine: migrations only add. */
export async function waitForSchema(client: ClickHouseClient, timeoutMs: number): Promise<void> {
  const wanted = readSchemaFiles('migrations').map((file) => file.name)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const applied = await readApplied(client)
    if (wanted.every((name) => applied.has(name))) return
    if (performance.now() > deadline) {
      throw new StartError(
        `The store has not the schema of this version yet (${wanted.length - applied.size} migrations are missing). Start the consumer of this version: it brings it there.`,
      )
    }
    await pause(askIntervalMs)
  }
}

/** Empty where there is no schema at all. */
async function readApplied(client: ClickHouseClient): Promise<Set<string>> {
  try {
    const answer = await client.query({ query: 'SELECT name FROM rollcall.schema_migrations', format: 'JSONEachRow' })
    return new Set((await answer.json<{ name: string }>()).map((row) => row.name))
  } catch (error) {
    if (isAbsent(error)) return new Set()
    throw error
  }
}

/** 60: no such table; 81: no such database. */
function isAbsent(error: unknown): boolean {
  return ['60', '81'].includes((error as { code?: string }).code ?? '')
}
