/** `rollcall receipt`: what became of one webhook. */
import { z } from 'zod'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { storeCommand } from '../command.ts'

export const receipt = storeCommand({
  usage: 'receipt <receipt>',
  summary: 'Show what became of one webhook.',
  examples: ['rollcall receipt 9f86d081884c7d659a2feaa0c55ad015'],
  options: z.object({
    receipt: z
      .string()
      .refine(isEventId, 'must have 32 hexadecimal digits, as in the answer to the webhook.'),
  }),
  async run({ receipt: id }, { client }) {
    const { readReceipt } = await import('../../../reporting/queries/receipt.ts')
    const { ownReader } = await import('../../../reporting/read/reader.ts')
    const found = await readReceipt(ownReader(client), id)
    const { state, says, deliveries } = found
    return {
      outcome: state === 'failed' || state === 'unknown' ? 'problems' : 'done',
      lines: [
        `${found.receipt}: ${state}. ${says}`,
        ...deliveries.map(({ received_at, source, outcome }) => `  ${received_at}  ${source}  ${outcome}`),
      ],
      data: { ...found },
    }
  },
})
