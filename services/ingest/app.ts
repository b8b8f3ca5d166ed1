/** What ingest answers beside deliveries: health, and a word for the person who opens a webhook address in a browser. */
import { Hono } from 'hono'
import { createHealthApp, type Health } from '../runtime/health.ts'
import { commonHeaders, notFound } from './answer.ts'
import { webhookPath, type Gate } from './gate.ts'

const readyText =
  'This address is ready. It takes webhooks: have the platform POST its events here.\n' +
  'Whoever knows this address can send events, so keep it to yourself.\n'

export function createIngestApp(deps: { gate: Gate; isReady: () => Health }): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    for (let index = 0; index < commonHeaders.length; index += 2) {
      const name = commonHeaders[index] as string
      if (name !== 'content-type') c.header(name, commonHeaders[index + 1])
    }
    c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  })
  app.route('/', createHealthApp(deps.isReady))
  app.get(`${webhookPath}*`, (c) => {
    // The path as it came: a token has nothing that would need decoding.
    const { pathname } = new URL(c.req.raw.url)
    return deps.gate.findSender(pathname) === undefined ? c.notFound() : c.text(readyText)
  })
  app.notFound((c) => c.body(notFound.body, 404, { 'content-type': 'application/json; charset=utf-8' }))
  return app
}
