/** `rollcall receipt`: where one webhook is. Searches the event log or Kafka if it is not stored. */
import { z } from 'zod'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { CommandIo } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { storeCommand } from '../command.ts'

export const receipt = storeCommand({
  usage: 'receipt <receipt>',
  summary: 'Show where one webhook is, also in the event log.',
  examples: ['rollcall receipt 9f86d081884c7d659a2feaa0c55ad015'],
  options: z.object({
    receipt: z
      .string()
      .refine(isEventId, 'must have 32 hexadecimal digits, as in the answer to the webhook.'),
  }),
  async run({ receipt: id }, { client, scanLog }, io) {
    const { readReceipt } = await import('../../../reporting/queries/receipt.ts')
    const { ownReader } = await import('../../../reporting/read/reader.ts')
    const stored = await readReceipt(ownReader(client), id)
    const place = stored.state === 'unknown' ? await findInLog(scanLog, id, io) : undefined
    // It may have been stored while we read the log.
    const found = stored.state === 'unknown' ? await readReceipt(ownReader(client), id, () => place) : stored
    const times = found.deliveries.map(
      ({ received_at, source, outcome }) => `  ${received_at}  ${source}  ${outcome}`,
    )
    return {
      outcome: found.state === 'failed' || found.state === 'unknown' ? 'problems' : 'done',
      lines: [`${found.receipt}: ${found.state}. ${found.says}`, ...times],
      data: { ...found },
    }
  },
})

async function findInLog(scanLog: CommandDeps['scanLog'], id: string, { report, signal }: CommandIo) {
  let done = 0
  for await (const { records } of scanLog()) {
    signal.throwIfAborted()
    const place = records.find(({ eventId }) => eventId === id)
    if (place !== undefined) return { receivedAt: place.receivedAt, source: place.source }
    done += records.length
    report({ step: 'Searching the event log', done })
  }
  return undefined
}
