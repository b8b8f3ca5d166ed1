/** `rollcall receipt`: where one delivery is. One that is not stored is looked for in the event log, also where that is Kafka. */
import { z } from 'zod'
import { readReceipt } from '../../../reporting/queries/receipt.ts'
import { defineCommand, type CommandIo } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

export function createReceiptCommand({ client, scanLog }: Pick<CommandDeps, 'client' | 'scanLog'>) {
  async function findInLog(id: string, { report, signal }: CommandIo) {
    let done = 0
    for await (const { records } of scanLog()) {
      signal.throwIfAborted()
      const place = records.find(({ eventId }) => eventId === id)
      if (place !== undefined) return { receivedAt: place.receivedAt, source: place.source }
      done += records.length
      report({ step: 'Looking into the event log', done })
    }
    return undefined
  }

  return defineCommand(z.object({ id: z.string() }), async ({ id }, io) => {
    const stored = await readReceipt(ownReader(client), id)
    const place = stored.state === 'unknown' ? await findInLog(id, io) : undefined
    // Asked again: it may have been stored while the log was read.
    const receipt = stored.state === 'unknown' ? await readReceipt(ownReader(client), id, () => place) : stored
    const times = receipt.deliveries.map(
      ({ received_at, source, outcome }) => `  ${received_at}  ${source}  ${outcome}`,
    )
    return {
      outcome: receipt.state === 'failed' || receipt.state === 'unknown' ? 'problems' : 'done',
      lines: [`${receipt.receipt}: ${receipt.state}. ${receipt.says}`, ...times],
      data: { ...receipt },
    }
  })
}
