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

/** `body`: as text, for reading. */
export type FailedEventBody = FailedEvent & {
  body: string
  /** Ids, times and status words are shown; names, e-mails and unknown values are not. */
  is_masked: boolean
  is_cut: boolean
}

export type ReplayResult = {
  read: number
  /** Without a dry run they are in the event log, and become events within seconds. */
  usable: number
  /** Bodies that the fix cannot change, by why. */
  unfixable: Record<string, number>
  /** Those that are still not usable, by reason. */
  reasons: Record<string, number>
}

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
