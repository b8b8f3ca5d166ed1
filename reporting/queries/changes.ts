/** The changes in a scope between two moments, assignment by assignment, with causes. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { agingFacts, factBits, toFactCount, toFactMask, type Fact } from '../../schemas/metrics/fact-bits.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime, toScopeParams } from './sql.ts'

const flag = z.union([z.boolean(), z.number()]).transform(Boolean)

const changedSchema = z.object({
  akey: z.string(),
  assignment_id: z.string(),
  user_id: z.string(),
  challenge_id: z.string(),
  was_there: flag,
  is_there: flag,
  facts_before: z.string(),
  facts_after: z.string(),
  is_other_state: flag,
  was_in_scope: flag,
  is_in_scope: flag,
  total: z.string().transform(Number),
})
type Changed = z.infer<typeof changedSchema>

const eventSchema = z.object({
  akey: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  at: z.number(),
  received_at: z.number(),
})

export const changeCauses = ['event', 'time', 'people'] as const
export type ChangeCause = (typeof changeCauses)[number]

export type SideOfChange = { in_scope: boolean; facts: Fact[] }

export type Change = {
  assignment_id: string
  user_id: string | null
  challenge_id: string | null
  before: SideOfChange
  after: SideOfChange
  causes: ChangeCause[]
  events: { event_id: string; event_type: string; at: string; received_at: string }[]
}

export type ChangePage = { total: number; changes: Change[]; next: string | null }

/**
 * `scope` is as of the later moment, `before` the same scope as of the earlier one; `after` is the `next` of the previous
 * page.
 */
export async function readChanges(
  client: ClickHouseClient,
  before: Scope,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<ChangePage> {
  const found = await selectRows(client, 'changes', {
    ...toScopeParams(scope),
    under_from: toScopeParams(before)['under'],
    from: toDateTime(before.asOf),
    after,
    limit: limit + 1,
  })
  const rows = changedSchema.array().parse(found)
  const page = rows.slice(0, limit)
  const events = await selectRows(client, 'events-between', {
    akeys: page.map(({ akey }) => BigInt(akey)),
    from: toDateTime(before.asOf),
    as_of: toDateTime(scope.asOf),
  })
  const eventsOf = Map.groupBy(eventSchema.array().parse(events), ({ akey }) => akey)
  return {
    // A page after the last row has no total; its reader has it from an earlier page.
    total: rows[0]?.total ?? 0,
    changes: page.map((row) => toChange(row, eventsOf.get(row.akey) ?? [], scope)),
    next: rows.length > limit ? (page.at(-1)?.akey ?? null) : null,
  }
}

function toChange(row: Changed, events: z.infer<typeof eventSchema>[], scope: Scope): Change {
  return {
    assignment_id: row.assignment_id,
    user_id: row.user_id || null,
    challenge_id: row.challenge_id || null,
    before: { in_scope: row.was_in_scope, facts: row.was_there ? toFacts(row.facts_before) : [] },
    after: { in_scope: row.is_in_scope, facts: row.is_there ? toFacts(row.facts_after) : [] },
    causes: toCauses(row, events.length > 0, scope),
    events: events.map(({ event_id, event_type, at, received_at }) => ({
      event_id,
      event_type,
      at: new Date(at).toISOString(),
      received_at: new Date(received_at).toISOString(),
    })),
  }
}

/**
 * A different state comes from an event, or from one sent before its creation, which began with time alone. The same
 * state with other facts comes from time. If filters treat both sides alike and only one is in scope, the cause is
 * people.
 */
function toCauses(row: Changed, hasEvents: boolean, scope: Scope): ChangeCause[] {
  const isSameState = row.was_there && row.is_there && !row.is_other_state
  const causes: ChangeCause[] = []
  if (!isSameState && hasEvents) causes.push('event')
  if ((isSameState && row.facts_before !== row.facts_after) || (!isSameState && !hasEvents)) causes.push('time')
  const isMove = row.was_in_scope !== row.is_in_scope
  if (isSameState && isMove && passes(row.facts_before, scope) === passes(row.facts_after, scope)) causes.push('people')
  return causes
}

/** Whether facts are within the filters `fact`, `status` and `aging`. */
function passes(facts: string, { fact, status, aging }: Scope): boolean {
  const bits = BigInt(facts)
  const masks = [toFactMask(fact), toFactMask(status), toFactMask(aging.map((bucket) => agingFacts[bucket]))]
  return masks.every((mask) => mask === '0' || (bits & BigInt(mask)) !== 0n)
}

function toFacts(facts: string): Fact[] {
  const { has } = toFactCount(facts, 1)
  return (Object.keys(factBits) as Fact[]).filter((fact) => has(fact))
}
