/** `rollcall replay`: reads received deliveries again, from the failed events or from the log. */
import { z } from 'zod'
import { type FailedSelection, replayFailed, replayLog } from '../../jobs/replay.ts'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { auditCommand } from './access.ts'

export function createReplayCommand(deps: CommandDeps) {
  const { client, append, scanLog, consumer } = deps
  return defineCommand(
    z.object({
      from: z.enum(['failed', 'log']),
      dryRun: z.boolean(),
      reason: z.string().optional(),
      ids: z.array(z.string()).optional(),
      fix: z.record(z.string(), z.unknown()).optional(),
    }),
    async ({ from, dryRun, reason, ids, fix }, { report, signal }) => {
      if (!dryRun) await auditCommand(deps, 'replay', `from ${from}`)
      if (from === 'failed') {
        const result = await replayFailed({
          client,
          append,
          dryRun,
          only: toSelection(reason, ids),
          fix,
          report,
          signal,
        })
        const { read, usable, reasons, unfixable } = result
        const toLines = (counts: Record<string, number>) =>
          Object.entries(counts).map(([name, events]) => `  ${name}: ${events}`)
        const why = toLines(reasons)
        const refused = toLines(unfixable)
        return {
          outcome: 'done',
          lines: [
            `${read} failed events read, ${usable} can be used now${dryRun ? '; nothing was changed.' : ' and are in the log again.'}`,
            ...(why.length > 0 ? ['Still not usable, by reason:', ...why] : []),
            ...(refused.length > 0 ? ['The fix cannot be applied to:', ...refused] : []),
          ],
          data: { ...result, dry_run: dryRun },
        }
      }
      const result = await replayLog({ slices: scanLog(), consumer, report, signal })
      const { records, events, failed, oldest } = result
      return {
        outcome: 'done',
        lines: [
          records === 0
            ? 'The log has nothing left to replay.'
            : `${records} deliveries since ${oldest} stored again: ${events} events, ${failed} that cannot be used. Whatever was there already has not changed.`,
        ],
        data: result,
      }
    },
  )
}

function toSelection(reason: string | undefined, ids: readonly string[] | undefined): FailedSelection | undefined {
  if (ids !== undefined) return { ids }
  return reason === undefined ? undefined : { reason }
}
