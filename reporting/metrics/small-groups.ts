/** Leaves small groups out of rankings for those who may not ask for single people. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { fewestPeople } from '../audience/audience.ts'
import { toSeer } from '../audience/seen-by.ts'
import { selectRows, toScopeParams } from '../queries/sql.ts'

const rowsSchema = z.array(z.object({ kind: z.enum(['challenge', 'team']), id: z.string(), people: z.number() }))

export type GroupPeople = Record<'challenge' | 'team', ReadonlyMap<string, number>>

/** `null`: this reader sees all groups. */
export async function readGroupPeople(client: ClickHouseClient, scope: Scope): Promise<GroupPeople | null> {
  if (toSeer(client).audience.persons) return null
  const rows = rowsSchema.parse(await selectRows(client, 'group-people', toScopeParams(scope)))
  const of = (kind: 'challenge' | 'team') =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, people }) => [id, people]))
  return { challenge: of('challenge'), team: of('team') }
}

/**
 * Without the groups of too few people. Where one is left out, the smallest of the others goes with it: else the total less
 * what is shown would be its numbers. A group of which the people are not known counts as too small.
 */
export function withoutSmallGroups<Row extends { id: string }>(
  rows: readonly Row[],
  people: ReadonlyMap<string, number>,
): Row[] {
  const sizeOf = ({ id }: Row) => people.get(id) ?? 0
  const large = rows.filter((row) => sizeOf(row) >= fewestPeople)
  if (large.length === rows.length) return large
  const smallest = Math.min(...large.map(sizeOf))
  const goesToo = large.findLast((row) => sizeOf(row) === smallest)
  return large.filter((row) => row !== goesToo)
}
