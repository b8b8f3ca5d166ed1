/** The operations about deliveries: where each is, and those that could not be used. */
import { z } from 'zod'
import { get, post, type Operation } from './openapi.ts'
import {
  failedEventAnswer,
  failedEventsAnswer,
  receiptAnswer,
  replayAnswer,
  replayRequest,
} from '../../schemas/answers/deliveries.ts'

const json = 'application/json'

export const deliveryOperations: readonly Operation[] = [
  get('/receipts/{id}', 'getReceipt', 'Where the delivery with a receipt is now', {
    description: 'A receipt is what the webhook address answered. The answer holds nothing of the body.',
    pathParameters: z.object({ id: z.string().meta({ description: 'A receipt: 32 hexadecimal digits' }) }),
    answers: { [json]: receiptAnswer },
  }),
  get('/failed-events', 'listFailedEvents', 'Deliveries that could not be used, by reason, and the newest of them', {
    query: z.object({
      reason: z.string().optional().meta({ description: 'List only those with this reason' }),
      limit: z.int().min(0).max(1000).optional().meta({ description: 'How many to list. Default: 100' }),
    }),
    answers: { [json]: failedEventsAnswer },
    refusals: [400, 404],
  }),
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
