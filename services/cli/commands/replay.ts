/** `rollcall replay`: reads received deliveries again, from the failed events or from the log. */
import { z } from 'zod'
import { replayFailed } from '../../consumer/replay/replay-failed.ts'
import { replayLog } from '../../consumer/replay/replay-log.ts'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'

export function createReplayCommand({ client, append, scanLog, consumer }: CommandDeps) {
  return defineCommand({
    args: z.object({ from: z.enum(['failed', 'log']), dryRun: z.boolean() }),
    async run({ from, dryRun }, { report, signal }) {
      if (from === 'failed') {
        const result = await replayFailed({ client, append, dryRun, report, signal })
        const { read, usable, reasons } = result
        const why = Object.entries(reasons).map(([reason, events]) => `  ${reason}: ${events}`)
        return {
          outcome: 'done',
          lines: [
            `${read} failed events read, ${usable} can be used now${dryRun ? '; nothing was changed.' : ' and are in the log again.'}`,
            ...(why.length > 0 ? ['Still not usable, by reason:', ...why] : []),
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
  })
}
