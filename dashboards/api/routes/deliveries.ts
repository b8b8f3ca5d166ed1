/** Where a delivery is, and failed ones: why, their bodies (masked), and their replay. */
import { Hono } from 'hono'
import type { Arrival } from '../../arrival.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import {
  createOwnParameters,
  fail,
  refuse,
  toParams,
  toWholeNumber,
  takeBody,
  type ApiContext,
} from '../api-context.ts'
import { replayRequest } from '../../../schemas/answers/deliveries.ts'

const defaultLimit = 100

/** The routes always exist; without `arrival` those of failed events answer that it is not offered here. */
export function deliveryRoutes({ queries }: ApiContext, arrival: Arrival | undefined): Hono {
  const app = new Hono()

  app.get('/receipts/:id', async (c) => {
    const id = c.req.param('id').toLowerCase()
    return isEventId(id) ? c.json(await queries.receipt(id)) : refuse(c, [notAReceipt])
  })

  app.get('/failed-events', async (c) => {
    const { pick, problems } = createOwnParameters(toParams(c))
    const reason = pick('reason', (text) => (/^[a-z_]{1,40}$/.test(text) ? text : undefined), 'a reason')
    const limit = pick('limit', (text) => toWholeNumber(text, 0, 1_000), 'a number from 0 to 1000')
    for (const name of new Set(toParams(c).keys())) {
      if (name !== 'reason' && name !== 'limit') problems.push({ parameter: name, message: 'is not known here' })
    }
    if (problems.length > 0) return refuse(c, problems)
    if (arrival === undefined) return fail(c, 404, 'NOT_FOUND', [notOffered])
    return c.json(await arrival.failedEvents(reason ?? '', limit ?? defaultLimit))
  })

  app.get('/failed-events/:id', async (c) => {
    const id = c.req.param('id')
    if (!isEventId(id)) return refuse(c, [notAReceipt])
    const event = await arrival?.failedEvent(id)
    if (event == null) return fail(c, 404, 'NOT_FOUND', [{ parameter: 'id', message: 'is not a failed event' }])
    return c.json(event)
  })

  app.post(
    '/failed-events/replay',
    takeBody(replayRequest, async (c, value) => {
      if (arrival?.replay === undefined) return fail(c, 404, 'NOT_FOUND', [notOffered])
      const { reason, ids, all, fix, dry_run: dryRun } = value
      if ([reason, ids, all].filter((choice) => choice !== undefined).length !== 1) {
        return refuse(c, [{ parameter: 'reason', message: 'or ids or all must be given, and only one of them' }])
      }
      const only = ids !== undefined ? { ids } : reason === undefined ? undefined : { reason }
      return c.json({ dry_run: dryRun, ...(await arrival.replay({ only, fix, dryRun })) })
    }),
  )

  return app
}

const notAReceipt = { parameter: 'id', message: 'must be a receipt: 32 hexadecimal digits' }
const notOffered = { parameter: 'path', message: 'is not offered by this process; use: rollcall replay --failed' }
