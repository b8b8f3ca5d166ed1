/** What every process of ours begins with: a log, metrics, an order of opening and closing, and the operator's port. */
import { createAdminApp } from './admin-app.ts'
import type { Config } from '../config/config.ts'
import type { Health } from './health.ts'
import { toKnownHosts } from './known-hosts.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { listen, type Listening } from './listen.ts'
import { createLogger, type Logger } from './logger.ts'
import { addProcessMetrics, createTelemetry, type Telemetry } from './telemetry.ts'
import { version } from './version.ts'

export type Process = {
  logger: Logger
  telemetry: Telemetry
  lifecycle: Lifecycle
  /** How long requests under way have when a server closes. */
  requestsTimeoutMs: number
  /** Last of all that a process opens. `isReady`: of what the process does; that it runs is asked beside it. */
  openAdmin(isReady?: () => Health): Promise<Listening>
}

export function createProcess(part: string, config: Config): Process {
  const { shutdownTimeoutMs, host, adminPort, adminHosts } = config
  const hosts = toKnownHosts(host, adminHosts)
  const logger = createLogger({ part, level: config.logLevel })
  const telemetry = createTelemetry()
  addProcessMetrics(telemetry, version)
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs })
  const requestsTimeoutMs = Math.floor(shutdownTimeoutMs / 3)
  return {
    logger,
    telemetry,
    lifecycle,
    requestsTimeoutMs,
    openAdmin(isReady = () => ({ ok: true })) {
      const isAllReady = (): Health => {
        const process = lifecycle.isReady()
        return process.ok ? isReady() : process
      }
      const handler = createAdminApp({ metrics: [() => telemetry.snapshot()], isReady: isAllReady, hosts })
      return lifecycle.open(
        'admin server',
        () => listen({ handler, host, port: adminPort, portVariable: 'ADMIN_PORT' }),
        (opened) => opened.close(requestsTimeoutMs),
      )
    },
  }
}
