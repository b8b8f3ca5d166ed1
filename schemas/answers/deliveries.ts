import { z } from 'zod'
import { count, instant } from './values.ts'

const failedEvent = z.object({
  event_id: z.string().meta({ description: 'The receipt' }),
  received_at: instant,
  source: z.string().meta({ description: 'Name of the ingest token' }),
  reasons: z.array(z.string()),
  problems: z.array(z.string()).meta({ description: 'The same in words, without anything of the body' }),
  body_bytes: count,
})

export type FailedEvent = z.infer<typeof failedEvent>

export const failedEventsAnswer = z
  .object({
    total: count.meta({ description: 'All failed events, each once, whatever its reasons' }),
    reasons: z.array(
      z.object({
        reason: z.string(),
        events: count,
        first_seen: instant,
        last_seen: instant,
        sources: z.array(z.string()),
      }),
    ),
    events: z.array(failedEvent).meta({ description: 'The newest first' }),
  })
  .meta({ id: 'FailedEventsAnswer' })

export type FailedEvents = z.infer<typeof failedEventsAnswer>

export const failedEventAnswer = failedEvent
  .extend({
    body: z.string().meta({ description: 'As text, for reading' }),
    is_masked: z.boolean().meta({
      description: 'Ids, times and status words are shown; names, e-mails and unknown values are not',
    }),
    is_cut: z.boolean(),
  })
  .meta({ id: 'FailedEventAnswer' })

export type FailedEventBody = z.infer<typeof failedEventAnswer>

export const replayRequest = z
  .object({
    reason: z.string().min(1).optional().meta({ description: 'Those with this reason' }),
    ids: z
      .array(z.string().regex(/^[0-9a-f]{32}$/))
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'These receipts' }),
    all: z.literal(true).optional().meta({ description: 'All of them' }),
    fix: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Fields to set in each body first: a JSON merge patch (RFC 7396)' }),
    dry_run: z.boolean().default(true).meta({ description: 'Only count what could be used' }),
  })
  .meta({
    id: 'ReplayRequest',
    description: 'One of reason, ids and all says which failed events are meant.',
  })

const counts = z.record(z.string(), count)

export const replayAnswer = z
  .object({
    dry_run: z.boolean(),
    read: count,
    usable: count.meta({
      description: 'Without a dry run they are in the event log, and become events within seconds',
    }),
    unfixable: counts.meta({ description: 'Bodies that the fix cannot change, by why' }),
    reasons: counts.meta({ description: 'Those that are still not usable, by reason' }),
  })
  .meta({ id: 'ReplayAnswer' })
export type ReplayResult = Omit<z.infer<typeof replayAnswer>, 'dry_run'>

export const receiptAnswer = z
  .object({
    receipt: z.string(),
    state: z.enum(['waiting', 'stored', 'failed', 'unknown']).meta({
      description:
        'waiting: in the event log, not stored yet; stored: as an event; failed: kept as a failed event; unknown: not in the store, and not known to wait',
    }),
    says: z.string().meta({ description: 'The same in a sentence' }),
    event_type: z.string().nullable(),
    reasons: z.array(z.string()).meta({ description: 'Why it cannot be used; empty for others' }),
    problems: z.array(z.string()).meta({ description: 'The same in words, without anything of the body' }),
    deliveries: z
      .array(
        z.object({
          received_at: instant,
          source: z.string().meta({ description: 'Name of the ingest token' }),
          outcome: z.enum(['waiting', 'stored', 'failed', 'duplicate']),
        }),
      )
      .meta({
        description: 'Each time it was delivered, the first one first. Repeats are known for 90 days',
      }),
    fixed_as: z
      .string()
      .nullable()
      .meta({ description: 'Receipt of the event that a person made of a failed one' }),
  })
  .meta({ id: 'ReceiptAnswer' })
export type Receipt = z.infer<typeof receiptAnswer>
