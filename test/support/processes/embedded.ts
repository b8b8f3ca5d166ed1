/** The product as a user starts it: `services/embedded/main.ts` in a process of its own, on free ports and a directory of its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createChild, type Child } from './child.ts'
import { findFreePorts } from './ports.ts'
import { copyStoreTemplate } from '../store/template.ts'

export type Embedded = Child & {
  /** Where webhooks go, token included. */
  ingestUrl: string
  dashboardUrl: string
}

export const testToken = 'dGVzdC10b2tlbi1vZi0yNTYtYml0cy1mb3ItdGVzdHM'
export const toIngestUrl = (port: string) => `http://127.0.0.1:${port}/webhooks/${testToken}`

/** A data directory without a store gets an empty one first, which saves the migrations. */
export async function startEmbedded(
  dataDirectory: string,
  env: Record<string, string> = {},
): Promise<Embedded> {
  const store = join(dataDirectory, 'clickhouse')
  if (!existsSync(store)) copyStoreTemplate(store)
  return startEmbeddedFromNothing(dataDirectory, env)
}

/** Does not prepare anything: the first start of an installation is the subject, or the directory's own contents. */
export async function startEmbeddedFromNothing(
  dataDirectory: string,
  env: Record<string, string> = {},
): Promise<Embedded> {
  const ports = (await findFreePorts(3)).map(String)
  const [INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT] = ports as [string, string, string]
  const dashboardUrl = `http://127.0.0.1:${DASHBOARD_PORT}`
  const own = { DATA_DIR: dataDirectory, INGEST_TOKENS: `main=${testToken}` }
  const child = createChild(
    'Rollcall',
    'services/embedded/main.ts',
    { ...own, INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT, ...env },
    [dashboardUrl, `http://127.0.0.1:${INGEST_PORT}`],
  )
  await child.start()
  return Object.assign(child, { dashboardUrl, ingestUrl: toIngestUrl(INGEST_PORT) })
}

/** Sends a delivery as a platform does. Its answer may be a refusal. */
export const deliver = (ingestUrl: string, body: Uint8Array | string): Promise<Response> =>
  fetch(ingestUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  })

/** How many assignments the numbers count. */
export async function readAssigned(dashboardUrl: string): Promise<number> {
  const answer = await fetch(`${dashboardUrl}/api/metrics`)
  return ((await answer.json()) as { metrics: { assigned: { value: number } } }).metrics.assigned.value
}
