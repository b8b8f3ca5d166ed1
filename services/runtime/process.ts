/** The base of every process: a log, metrics, an order of opening and closing, and the admin port. */
import type { Hono } from 'hono'
import { createAdminApp } from './http/admin-app.ts'
import type { Config } from '../config/config.ts'
import type { Health } from './http/health.ts'
import { toKnownHosts } from './http/known-hosts.ts'
import { createLifecycle } from './lifecycle.ts'
import { listen, type Listening, type ListenOptions } from './http/listen.ts'
import { createLogger } from './logger.ts'
import { addProcessMetrics, createTelemetry, type MetricsSnapshot } from './telemetry.ts'
import { version } from './version.ts'

export type Process = ReturnType<typeof createProcess>

type Served = Pick<ListenOptions, 'handler' | 'port' | 'portVariable'> & { host?: string }

type ProcessAdmin = {
  /** Health of the work of the process; that it runs is asked beside it. */
  isReady?: () => Health
  /** Metrics beside those of this thread. */
  metrics?: () => Promise<MetricsSnapshot>
  control?: Hono
}

export function createProcess(part: string, config: Config) {
  const { shutdownTimeoutMs, host, adminPort, adminHosts } = config
  const hosts = toKnownHosts(host, adminHosts)
  const logger = createLogger({ part, level: config.logLevel })
  const telemetry = createTelemetry()
  addProcessMetrics(telemetry, version)
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs })

  /** Opens an HTTP server, on the process's host unless it says another. */
  const serve = (name: string, server: Served) => lifecycle.open(name, () => listen({ host, ...server }))

  return {
    logger,
    telemetry,
    lifecycle,
    serve,
    /** The operator's port, last of all that a process opens. */
    openAdmin({ isReady = () => ({ ok: true }), metrics, control }: ProcessAdmin = {}): Promise<Listening> {
      const handler = createAdminApp({
        metrics: [() => telemetry.snapshot(), ...(metrics === undefined ? [] : [metrics])],
        isReady() {
          const process = lifecycle.isReady()
          return process.ok ? isReady() : process
        },
        hosts,
        ...(control && { control }),
      })
      return serve('admin server', { handler, port: adminPort, portVariable: 'ADMIN_PORT' })
    },
  }
}
