/** Where the delivery with a receipt is now. Says nothing about its body. */
import { join } from 'node:path'
import { z } from 'zod'
import type { Receipt } from '../../schemas/answers/deliveries.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

/** A delivery that the event log has and the store does not. */
export type FindWaiting = (eventId: string) => { receivedAt: number; source: string } | undefined

const receipt = readFixed(join(import.meta.dirname, 'failed.sql'))('receipt', 'nobody')

const rowSchema = z.tuple([
  z.object({
    stored: z.array(z.tuple([z.number(), z.string(), z.string(), z.number()])),
    failed: z.array(z.tuple([z.number(), z.string(), z.array(z.string()), z.array(z.string())])),
    repeats: z.array(z.tuple([z.number(), z.string()])),
    fixed_as: z.array(z.string()),
    waiting: z.number(),
    through: z.number().nullable(),
  }),
])

export async function readReceipt(reader: Reader, id: string, findWaiting?: FindWaiting): Promise<Receipt> {
  // Asked of the log first: what moves on meanwhile is then found in the store.
  const inLog = findWaiting?.(id)
  const [row] = rowSchema.parse(await select(reader, receipt, { id }))
  const [stored] = row.stored
  const [failed] = row.failed
  const answer: Receipt = {
    receipt: id,
    state: 'unknown',
    says: '',
    event_type: stored?.[2] ?? null,
    reasons: [],
    problems: [],
    deliveries: [],
    fixed_as: row.fixed_as[0] ?? null,
  }
  const repeats = row.repeats.map(([at, source]) => toDelivery(at, source, 'duplicate'))
  const again = repeats.length === 0 ? '' : ` It came ${repeats.length + 1} times and counts once.`
  if (stored !== undefined) {
    const [at, source, , isRecognised] = stored
    answer.state = 'stored'
    answer.deliveries = [toDelivery(at, source, 'stored'), ...repeats]
    answer.says =
      (isRecognised === 1
        ? 'It is stored, and the numbers have it.'
        : 'It is stored. It is no challenge event, so no number has it.') + again
  } else if (failed !== undefined) {
    const [at, source, reasons, problems] = failed
    Object.assign(answer, { state: 'failed', reasons, problems })
    answer.deliveries = [toDelivery(at, source, 'failed'), ...repeats]
    answer.says = `It is kept as a failed event, and no number has it. ${problems.join(' ')}${again}`
    if (answer.fixed_as !== null) answer.says += ` It was put right as ${answer.fixed_as}.`
  } else if (inLog !== undefined) {
    answer.state = 'waiting'
    answer.deliveries = [toDelivery(inLog.receivedAt, inLog.source, 'waiting')]
    answer.says = 'It is in the event log, safe on disk, and waits to be stored.'
  } else {
    answer.says = toUnknown(row, findWaiting !== undefined)
  }
  return answer
}

/** Without a look into the log only the time is known up to which everything is stored: a waiting delivery may be told late. */
function toUnknown(
  { waiting, through }: { waiting: number; through: number | null },
  hasLooked: boolean,
): string {
  if (waiting > 0) {
    return `No delivery with this receipt is stored. ${waiting} deliveries wait in the log or a spool, and it may be one of them.`
  }
  if (hasLooked) return 'No delivery with this receipt is known. Everything that was acknowledged is stored.'
  if (through === null)
    return 'No delivery with this receipt is stored. It is not known what waits in the log.'
  const at = new Date(through).toISOString()
  return `No delivery with this receipt is stored. Everything acknowledged before ${at} is; a later one may still wait.`
}

function toDelivery(at: number, source: string, outcome: Receipt['deliveries'][number]['outcome']) {
  return { received_at: new Date(at).toISOString(), source, outcome }
}
