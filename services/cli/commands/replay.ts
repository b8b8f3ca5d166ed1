/** `rollcall replay`: turns failed events that can be used now into events. */
import { z } from 'zod'
import { parsePatch } from '../../../schemas/webhook/fix-body.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { FailedSelection } from '../../jobs/replay.ts'
import { flag, storeCommand, value } from '../command.ts'
import { auditCommand } from '../open-access.ts'

export const replay = storeCommand({
  usage: 'replay',
  summary: 'Read failed events again and turn those that can be used into events.',
  examples: [
    'rollcall replay --dry-run',
    `rollcall replay --reason no_timestamp --fix '{"timestamp": 1790000000000}' --dry-run`,
  ],
  options: z
    .object({
      dryRun: flag('only count'),
      reason: value('reason', 'only events with this reason', z.string().optional()),
      id: value(
        'receipt',
        'only this event; repeatable',
        z.array(z.string().refine(isEventId, 'must be a receipt: 32 hexadecimal digits.')).default([]),
      ),
      fix: value(
        'json',
        'fields to change in each body first (a JSON merge patch, RFC 7396)',
        z
          .string()
          .refine((patch) => parsePatch(patch) !== undefined, 'must be a JSON object.')
          .optional(),
      ),
    })
    .refine(({ reason, id }) => reason === undefined || id.length === 0, 'Specify either --reason or --id.'),
  async run({ dryRun, reason, id, fix: patch }, deps, { report, signal }) {
    const { replayFailed } = await import('../../jobs/replay.ts')
    if (!dryRun) await auditCommand(deps, 'replay', 'failed events')
    const { client, append } = deps
    const fix = patch === undefined ? undefined : parsePatch(patch)
    const only = toSelection(reason, id)
    const result = await replayFailed({ client, append, dryRun, only, fix, report, signal })
    const { read, usable, reasons, unfixable } = result
    return {
      outcome: 'done',
      lines: [
        dryRun
          ? `Read ${read} failed events. ${usable} can be used now. Nothing was changed.`
          : `Read ${read} failed events. ${usable} can be used now and were appended to the log again.`,
        ...toLines('Still not usable, by reason:', reasons),
        ...toLines('The fix cannot be applied to:', unfixable),
      ],
      data: { ...result, dry_run: dryRun },
    }
  },
})

function toLines(title: string, counts: Record<string, number>): string[] {
  const lines = Object.entries(counts).map(([name, events]) => `  ${name}: ${events}`)
  return lines.length === 0 ? [] : [title, ...lines]
}

function toSelection(reason: string | undefined, ids: readonly string[]): FailedSelection | undefined {
  if (ids.length > 0) return { ids }
  return reason === undefined ? undefined : { reason }
}
