/** What every page shows beside its numbers: of which moment it is, how fresh the data are, and the names for its filters. */
import { z } from 'zod'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, PageFrame } from '../metrics/overview.ts'
import { readPageFrame } from '../metrics/read-blocks.ts'
import { toFilterOptions, toFreshness } from '../metrics/to-overview.ts'
import { selectRows, toDateTime } from './sql.ts'
import type { Reader } from '../read/reader.ts'

export type PageMoment = PageFrame & { answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone' | 'due_end'> }

export async function readFrame(reader: Reader, scope: Scope): Promise<PageFrame> {
  const [page, people] = await Promise.all([
    readPageFrame(reader, scope),
    readNames(reader, scope, [...scope.manager, ...scope.user]),
  ])
  return { freshness: toFreshness(page), options: toFilterOptions(page.names, people) }
}

export async function readPageMoment(reader: Reader, scope: Scope): Promise<PageMoment> {
  const { asOf, timeZone, dueZone, dueEnd } = scope
  return {
    ...(await readFrame(reader, scope)),
    answer: { as_of: new Date(asOf).toISOString(), time_zone: timeZone, due_zone: dueZone, due_end: dueEnd },
  }
}

const namesSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Names of people by id at the moment of a scope; without ids it asks nothing. */
export async function readNames(reader: Reader, { asOf, now }: Scope, users: readonly string[]): Promise<Option[]> {
  if (users.length === 0) return []
  const rows = await selectRows(reader, 'people-names', { users, as_of: toDateTime(asOf), now: toDateTime(now) })
  return namesSchema.parse(rows)
}
