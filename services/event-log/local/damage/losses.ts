/**
 * The losses of a log: offsets of acknowledged deliveries that are no longer readable. Kept beside the log, for the
 * ledger, the metrics and `rollcall doctor`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../../config/whole-file.ts'

const offset = z.int().min(0)
const lossSchema = z.object({ from: offset, through: offset, foundAt: z.iso.datetime() })
const fileSchema = z.object({ losses: z.array(lossSchema) })
/** From one offset through another, both lost. */
export type Loss = z.infer<typeof lossSchema>

export function readLosses(directory: string): Loss[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(toPath(directory), 'utf8'))).losses
  } catch {
    // None, or itself damaged: the reader finds again the losses that it still has to pass.
    return []
  }
}

export function addLosses(directory: string, more: readonly Loss[]): Loss[] {
  const merged = merge([...readLosses(directory), ...more])
  replaceFile(toPath(directory), `${JSON.stringify({ losses: merged }, null, 2)}\n`)
  return merged
}

/** How many offsets below `end`, and not below `from`, are lost. */
export function countLost(losses: readonly Loss[], from = 0, end = Number.MAX_SAFE_INTEGER): number {
  return losses.reduce(
    (count, loss) => count + Math.max(0, Math.min(loss.through + 1, end) - Math.max(loss.from, from)),
    0,
  )
}

/** Neighbours and overlaps become one, with the time at which the first of them was found. */
function merge(losses: readonly Loss[]): Loss[] {
  const merged: Loss[] = []
  for (const loss of losses.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last === undefined || loss.from > last.through + 1) {
      merged.push({ ...loss })
      continue
    }
    last.through = Math.max(last.through, loss.through)
    if (loss.foundAt < last.foundAt) last.foundAt = loss.foundAt
  }
  return merged
}

function toPath(directory: string): string {
  return join(directory, 'losses.json')
}
