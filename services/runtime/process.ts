/** The base of every process: a log, metrics, an order of opening and closing, and the admin port. */
import { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import { createHealthApp, type Health } from './http/health.ts'
import { isLoopback, knownHostsOnly } from './http/known-hosts.ts'
import { listen, type Listening, type ListenOptions } from './http/listen.ts'
import { createLifecycle } from './lifecycle.ts'
import { createLogger } from './logger.ts'
import { addProcessMetrics, createTelemetry, type MetricsSnapshot, renderMetrics } from './telemetry.ts'
import { version } from './version.ts'

export type Process = ReturnType<typeof createProcess>

type Served = Pick<ListenOptions, 'handler' | 'port' | 'portVariable'>

type ProcessAdmin = {
  /** Health of the work of the process; that it runs is asked beside it. */
  isReady?: () => Health
  /** Metrics beside those of this thread. */
  metrics?: () => Promise<MetricsSnapshot>
  control?: Hono
}

export function createProcess(part: string, config: Config) {
  const { shutdownTimeoutMs, host, adminPort } = config
  const logger = createLogger({ part, level: config.logLevel })
  // @hono/node-server prints the error of a file that breaks while it is sent.
  const print = (err: unknown) => logger.warn({ err }, 'A library printed an error')
  Object.assign(console, { error: print, info: print })
  const telemetry = createTelemetry()
  addProcessMetrics(telemetry, version)
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs })

  /** Opens an HTTP server on the process's host. */
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
        isPrivate: isLoopback(host),
        ...(control && { control }),
      })
      return serve('admin server', { handler, port: adminPort, portVariable: 'ADMIN_PORT' })
    },
  }
}

// The app of the admin port: metrics and health. Never on a public port.

type AdminDeps = {
  metrics: (() => Promise<MetricsSnapshot>)[]
  isReady: () => Health
  /** Commands for processes that may read the data directory. */
  control?: Hono
  /** Only this machine reaches it. On all addresses a Prometheus may use any name, such as a pod's. */
  isPrivate: boolean
}

export function createAdminApp(deps: AdminDeps): Hono {
  const app = new Hono()
  if (deps.isPrivate) app.use(knownHostsOnly([]))
  app.route('/', createHealthApp(deps.isReady))
  if (deps.control !== undefined) app.route('/', deps.control)
  app.get('/metrics', async (c) =>
    c.body(await renderMetrics(deps.metrics), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  )
  return app
}
