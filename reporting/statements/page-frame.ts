/** The frame of every page around its numbers: of which moment it is, how fresh the data are, and the names for its filters. */
import { z } from 'zod'
import { toInstant } from '../../schemas/instant.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, PageFrame } from '../metrics/overview.ts'
import { readPageFrame } from './read-blocks.ts'
import { toFilterOptions, toFreshness } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'
import { list, sql, where } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, people as peopleAt, settle } from './people.ts'

export type PageMoment = PageFrame & {
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone' | 'due_end'>
}

export async function readFrame(reader: Reader, scope: Scope): Promise<PageFrame> {
  const [page, people] = await Promise.all([
    readPageFrame(reader, scope),
    readNames(reader, scope, [...scope.manager, ...scope.user]),
  ])
  return { freshness: toFreshness(page), options: toFilterOptions(page.names, people) }
}

export async function readPageMoment(reader: Reader, scope: Scope): Promise<PageMoment> {
  const { timeZone, dueZone, dueEnd } = scope
  return {
    ...(await readFrame(reader, scope)),
    answer: { as_of: toInstant(scope.asOf), time_zone: timeZone, due_zone: dueZone, due_end: dueEnd },
  }
}

/** The names of a few people, as last sent. Readers see their own name, though they are not among their people. */
const peopleNames: Statement<{ moment: Scope; users: readonly string[] }> = {
  name: 'people-names',
  about: 'names',
  isHeld: true,
  text: ({ moment, users }, seen) => sql`WITH ${asOf(moment)}
SELECT user_id AS id, ${seen.name('name', 'user_id')} AS name
FROM (${peopleAt(moment, ['name'], sql`user_id IN ${list('String', users)}`)})
${where(seen.orSelf('user_id'))}`,
}

const namesSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Names of people by id at the moment of a scope; without ids it asks nothing. */
export async function readNames(reader: Reader, moment: Scope, users: readonly string[]): Promise<Option[]> {
  if (users.length === 0) return []
  return namesSchema.parse(await select(reader, peopleNames, { moment: await settle(reader, moment), users }))
}
