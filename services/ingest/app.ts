/**
 * All requests that ingest answers: deliveries, health, and a text for a person who opens a webhook address in a browser.
 */
import { METHODS } from 'node:http'
import { Hono } from 'hono'
import { createHealthApp, type Health } from '../runtime/http/health.ts'
import type { Logger } from '../runtime/logger.ts'
import { broken, commonHeaders, notFound, type Answer } from './door/answer.ts'
import type { DeliveryRoute, IngestEnv } from './door/delivery-route.ts'
import type { Gate } from './door/gate.ts'

type IngestAppDeps = { gate: Gate; route: DeliveryRoute; isReady: () => Health; logger: Logger }

const readyText =
  'This address is ready. It takes webhooks: have the platform POST its events here.\n' +
  'Anybody who knows this address can send events, so keep it secret.\n'

const isRead = (method: string) => method === 'GET' || method === 'HEAD'
const otherMethods = METHODS.filter((method) => method !== 'POST' && !isRead(method))
/** The common headers for Hono, and those that keep a browser from interpreting an answer. */
const pageHeaders = { ...commonHeaders, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }

export function createIngestApp({ gate, route, isReady, logger }: IngestAppDeps): Hono<IngestEnv> {
  const app = new Hono<IngestEnv>()
  // One handler and no middleware: Hono then calls it straight, which counts at tens of thousands of deliveries a second.
  app.post('/webhooks/:token', route.deliver)
  app.on(otherMethods, '/webhooks/:token', route.deliver)

  app.get('*', async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(pageHeaders)) if (name !== 'content-type') c.header(name, value)
  })
  app.get('/webhooks/:token', (c) =>
    gate.findSender(c.req.param('token')) === undefined ? c.notFound() : c.text(readyText),
  )
  app.route('/', createHealthApp(isReady))
  app.notFound((c) => (isRead(c.req.method) ? toResponse(notFound) : route.refuse(c, notFound)))
  app.onError((error) => {
    logger.error({ err: error }, 'A request failed unexpectedly')
    return toResponse(broken)
  })
  return app
}

/** For a request that Hono's adapter cannot read, such as one with an invalid Host. No address of ours has that form. */
export function answerUnreadable(): Response {
  return toResponse(notFound)
}

function toResponse({ body, status }: Answer): Response {
  return new Response(body, { status, headers: pageHeaders })
}
