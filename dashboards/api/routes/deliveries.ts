/** Where a delivery is, and failed ones: why, their bodies (masked), and their replay. */
import type { Hono } from 'hono'
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
import {
  replayRequest,
  failedEventAnswer,
  failedEventsAnswer,
  replayAnswer,
  receiptAnswer,
} from '../../../schemas/answers/deliveries.ts'
import { z } from 'zod'
import { get, post, type Operation } from '../openapi.ts'

const defaultLimit = 100

/** The routes always exist; without `arrival` those of failed events answer that it is not offered here. */
export function mountDeliveries(app: Hono, { queries }: ApiContext, arrival: Arrival | undefined): void {
  app.get('/receipts/:id', async (c) => {
    const id = c.req.param('id').toLowerCase()
    return isEventId(id) ? c.json(await queries.receipt(id)) : refuse(c, [notAReceipt])
  })

  app.get('/failed-events', async (c) => {
    const { pick, problems } = createOwnParameters(toParams(c))
    const reason = pick('reason', (text) => (/^[a-z_]{1,40}$/.test(text) ? text : undefined), 'a reason')
    const limit = pick('limit', (text) => toWholeNumber(text, 0, 1_000), 'a number from 0 to 1000')
    for (const name of new Set(toParams(c).keys())) {
      if (name !== 'reason' && name !== 'limit')
        problems.push({ parameter: name, message: 'is not known here' })
    }
    if (problems.length > 0) return refuse(c, problems)
    if (arrival === undefined) return fail(c, 404, 'NOT_FOUND', [notOffered])
    return c.json(await arrival.failedEvents(reason ?? '', limit ?? defaultLimit))
  })

  app.get('/failed-events/:id', async (c) => {
    const id = c.req.param('id')
    if (!isEventId(id)) return refuse(c, [notAReceipt])
    const event = await arrival?.failedEvent(id)
    if (event == null)
      return fail(c, 404, 'NOT_FOUND', [{ parameter: 'id', message: 'is not a failed event' }])
    return c.json(event)
  })

  app.post(
    '/failed-events/replay',
    takeBody(replayRequest, async (c, value) => {
      if (arrival?.replay === undefined) return fail(c, 404, 'NOT_FOUND', [notOffered])
      const { reason, ids, all, fix, dry_run: dryRun } = value
      if ([reason, ids, all].filter((choice) => choice !== undefined).length !== 1) {
        return refuse(c, [
          { parameter: 'reason', message: 'or ids or all must be given, and only one of them' },
        ])
      }
      const only = ids !== undefined ? { ids } : reason === undefined ? undefined : { reason }
      return c.json({ dry_run: dryRun, ...(await arrival.replay({ only, fix, dryRun })) })
    }),
  )
}

const notAReceipt = { parameter: 'id', message: 'must be a receipt: 32 hexadecimal digits' }
const notOffered = {
  parameter: 'path',
  message: 'is not offered by this process; use: rollcall replay --failed',
}

/** The operations about deliveries: where each is, and those that could not be used. */
const json = 'application/json'

export const deliveryOperations: readonly Operation[] = [
  get('/receipts/{id}', 'getReceipt', 'Where the delivery with a receipt is now', {
    description: 'A receipt is what the webhook address answered. The answer holds nothing of the body.',
    pathParameters: z.object({ id: z.string().meta({ description: 'A receipt: 32 hexadecimal digits' }) }),
    answers: { [json]: receiptAnswer },
  }),
  get(
    '/failed-events',
    'listFailedEvents',
    'Deliveries that could not be used, by reason, and the newest of them',
    {
      query: z.object({
        reason: z.string().optional().meta({ description: 'List only those with this reason' }),
        limit: z.int().min(0).max(1000).optional().meta({ description: 'How many to list. Default: 100' }),
      }),
      answers: { [json]: failedEventsAnswer },
      refusals: [400, 404],
    },
  ),
  get('/failed-events/{id}', 'getFailedEvent', 'One failed event, with its body masked', {
    pathParameters: z.object({ id: z.string().meta({ description: 'A receipt: 32 hexadecimal digits' }) }),
    answers: { [json]: failedEventAnswer },
    refusals: [400, 404],
  }),
  post(
    '/failed-events/replay',
    'replayFailedEvents',
    'Read failed events again, with a fix where wanted; usable ones become events',
    {
      description:
        'A dry run unless `dry_run` is false. Answers 404 where this process does not write to the event log.',
      body: { [json]: replayRequest },
      answers: { [json]: replayAnswer },
      refusals: [400, 404],
    },
  ),
]
