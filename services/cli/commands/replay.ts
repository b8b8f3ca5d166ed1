/** `rollcall replay`: reads received webhooks again, from the failed events or from the log. */
import { z } from 'zod'
import { parsePatch } from '../../../schemas/webhook/fix-body.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { FailedSelection } from '../../jobs/replay.ts'
import { flag, storeCommand, value } from '../command.ts'
import { auditCommand } from '../open-access.ts'

export const replay = storeCommand({
  usage: 'replay',
  summary: 'Read received webhooks again: failed events, or everything the log still holds.',
  examples: [
    'rollcall replay --failed --dry-run',
    `rollcall replay --failed --reason no_timestamp --fix '{"timestamp": 1790000000000}' --dry-run`,
    'rollcall replay --from-log',
  ],
  options: z
    .object({
      failed: flag('turn failed events that this version can use into events'),
      fromLog: flag('store the webhooks of the log again; stored ones do not change'),
      dryRun: flag('with --failed: only count'),
      reason: value('reason', 'with --failed: only events with this reason', z.string().optional()),
      id: value(
        'receipt',
        'with --failed: only this event; repeatable',
        z.array(z.string().refine(isEventId, 'must be a receipt: 32 hexadecimal digits.')).default([]),
      ),
      fix: value(
        'json',
        'with --failed: fields to change in each body first (a JSON merge patch, RFC 7396)',
        z
          .string()
          .refine((patch) => parsePatch(patch) !== undefined, 'must be a JSON object.')
          .optional(),
      ),
    })
    .refine(({ failed, fromLog }) => failed !== fromLog, 'Specify either --failed or --from-log.')
    .refine(
      ({ fromLog, dryRun, reason, id, fix }) =>
        !fromLog || (!dryRun && reason === undefined && id.length === 0 && fix === undefined),
      'Use --dry-run, --reason, --id and --fix only with --failed.',
    )
    .refine(({ reason, id }) => reason === undefined || id.length === 0, 'Specify either --reason or --id.'),
  async run({ failed: isFailed, dryRun, reason, id, fix: patch }, deps, { report, signal }) {
    const { replayFailed, replayLog } = await import('../../jobs/replay.ts')
    if (!dryRun) await auditCommand(deps, 'replay', `from ${isFailed ? 'failed' : 'log'}`)
    const { client, append, scanLog, consumer } = deps
    if (isFailed) {
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
    }
    const result = await replayLog({ slices: scanLog(), consumer, report, signal })
    const { records, events, failed, oldest } = result
    return {
      outcome: 'done',
      lines: [
        records === 0
          ? 'The log has nothing left to replay.'
          : `${records} webhooks since ${oldest} stored again: ${events} events, ${failed} failed events. Events that were stored before did not change.`,
      ],
      data: result,
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
