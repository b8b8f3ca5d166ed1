/** The product as a user starts it: `services/embedded/main.ts` in a process of its own, on free ports and a directory of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnChild, untilReady, type Child } from './child.ts'
import { findFreePorts } from './ports.ts'

export { findFreePort } from './ports.ts'

export type Embedded = Child & {
  /** Where webhooks go, token included. */
  ingestUrl: string
  dashboardUrl: string
}

export const testToken = 'dGVzdC10b2tlbi1vZi0yNTYtYml0cy1mb3ItdGVzdHM'

export async function startEmbedded(dataDirectory: string, env: Record<string, string> = {}): Promise<Embedded> {
  const [ingestPort, dashboardPort, adminPort] = (await findFreePorts(3)).map(String) as [string, string, string]
  const child = spawnChild('services/embedded/main.ts', {
    DATA_DIR: dataDirectory,
    INGEST_PORT: ingestPort,
    DASHBOARD_PORT: dashboardPort,
    ADMIN_PORT: adminPort,
    INGEST_TOKENS: `main=${testToken}`,
    ...env,
  })
  const dashboardUrl = `http://127.0.0.1:${dashboardPort}`
  await untilReady(child, [child.adminUrl, dashboardUrl, `http://127.0.0.1:${ingestPort}`])
  return { ...child, dashboardUrl, ingestUrl: `http://127.0.0.1:${ingestPort}/webhooks/${testToken}` }
}

/** Asks again until the answer fits, for at most `timeoutMs`; then gives the last answer, for the test to fail on. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean, timeoutMs = 20_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (fits(answer) || Date.now() > deadline) return answer
    await sleep(100)
  }
}
