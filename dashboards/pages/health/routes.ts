import { t } from '../../../language/translate.ts'
import type { Hono } from 'hono'
import type { ReplayRequest } from '../../arrival.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { parsePatch } from '../../../schemas/webhook/fix-body.ts'
import { notFound } from '../../http/problems.ts'
import { pageContext } from '../../http/page-request.ts'
import { readForm } from '../../http/read-form.ts'
import { FailedEventPage, ReplayPage, type ReplayFields } from './failed-events.tsx'
import { HealthPage } from './page.tsx'
import { readHealth } from './read.ts'

/** `/health`: does data arrive, complete and valid? And the repair of what does not. */
export function mountHealth(app: Hono, routes: RouteContext): void {
  const { arrival } = routes
  const canReplay = arrival.replay !== undefined

  app.get('/health', async (c) => c.html(HealthPage(await readHealth(c, routes))))

  app.get('/health/failed/:id', async (c) => {
    const id = c.req.param('id')
    if (!isEventId(id)) return notFound(c, routes)
    const event = await arrival.failedEvent(id)
    return event === null
      ? notFound(c, routes)
      : c.html(FailedEventPage({ context: pageContext(c, routes), canReplay, ...event }))
  })

  app.get('/health/replay', async (c) => {
    const replayed = await routes.flash.take(c, '/health/replay')
    if (replayed?.['form'] === undefined) return c.redirect('/health', 303)
    return c.html(ReplayPage({ context: pageContext(c, routes), ...(replayed as Shown) }))
  })

  // Tries first; only the page that shows what would happen has the button that does it.
  app.post('/health/replay', async (c) => {
    if (arrival.replay === undefined) return notFound(c, routes)
    const text = await readForm(c)
    const form = { which: text('which'), fix: text('fix') }
    const isDone = text('step') === 'do'
    const request = toRequest(form, !isDone)
    const context = pageContext(c, routes)
    if (typeof request === 'string') {
      context.outcome = { problem: request }
      return c.html(ReplayPage({ context, form }), 400)
    }
    const shown: Shown = { form, answer: { isDone, result: await arrival.replay(request) } }
    if (!isDone) return c.html(ReplayPage({ context, ...shown }))
    // The fix has been used, and may be long.
    return routes.flash.done(c, '/health/replay', {}, { ...shown, form: { ...form, fix: '' } })
  })
}

type Shown = Pick<Parameters<typeof ReplayPage>[0], 'form' | 'answer'>

function toRequest({ which, fix: text }: ReplayFields, dryRun: boolean): ReplayRequest | string {
  const only = toSelection(which)
  if (only === null) return t('Choose which failed events to replay.')
  const fix = text === '' ? undefined : parsePatch(text)
  if (text !== '' && fix === undefined) {
    return t('The fix must be a JSON object, such as {example}.', { example: '{"timestamp": 1790000000000}' })
  }
  return { only, fix, dryRun }
}

function toSelection(which: string): ReplayRequest['only'] | null {
  if (which === 'all') return undefined
  const [kind, value = ''] = which.split(':')
  if (kind === 'reason' && /^[a-z_]{1,40}$/.test(value)) return { reason: value }
  if (kind === 'id' && isEventId(value)) return { ids: [value] }
  return null
}
