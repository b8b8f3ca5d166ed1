/** The operations for giving people guides. */
import { z } from 'zod'
import { get, post, type Operation } from './openapi.ts'
import {
  orderAnswer,
  orderDecision,
  orderedPeople,
  orderRequest,
  ordersAnswer,
  orderSelection,
  previewAnswer,
} from './schemas/guide-orders.ts'

const json = 'application/json'
const refusals = [400, 404] as const
const offered = 'Answers 404 where no platform is configured, or where ASSIGN_GUIDES does not allow it.'

export const guideOrderOperations: readonly Operation[] = [
  post('/guide-orders/preview', 'previewGuideOrder', 'Who of a list would be given a guide, and by how many calls', {
    description: `Changes nothing and does not ask the platform. ${offered}`,
    body: { [json]: orderSelection },
    answers: { [json]: previewAnswer },
    refusals,
  }),
  post('/guide-orders', 'placeGuideOrder', 'Give people a guide', {
    description: `Stored when it answers and carried out afterwards, one call per person. ${offered}`,
    body: { [json]: orderRequest },
    answers: { [json]: orderAnswer },
    refusals,
  }),
  post('/guide-orders/{id}/decisions', 'decideGuideOrder', 'Decide about people for whom the platform gave no answer', {
    description: `Only where the platform does not list who has a guide. ${offered}`,
    pathParameters: z.object({ id: z.string() }),
    body: { [json]: orderDecision },
    answers: { [json]: orderAnswer },
    refusals,
  }),
  post(
    '/guide-orders/{id}/withdrawals',
    'takeBackGuideOrder',
    'Take the guide back from people who got it by this order',
    {
      description: `Only of people with \`can_take_back\`: it needs PLATFORM_TAKE_BACK_PATH. The platform deletes the assignment, with all that they did. ${offered}`,
      pathParameters: z.object({ id: z.string() }),
      body: { [json]: orderedPeople },
      answers: { [json]: orderAnswer },
      refusals,
    },
  ),
  get('/guide-orders', 'listGuideOrders', 'The newest orders and what came of them', {
    description: offered,
    answers: { [json]: ordersAnswer },
    refusals: [404],
  }),
  get('/guide-orders/{id}', 'getGuideOrder', 'One order: who asked, when, for what, and what came of each person', {
    description: offered,
    pathParameters: z.object({ id: z.string() }),
    answers: { [json]: orderAnswer },
    refusals: [404],
  }),
]
