/** Finds teams, challenges and people by name or id, people by e-mail too: those that the reader may see. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Reader } from '../read/reader.ts'
import { folded } from '../expressions/fold.ts'
import { raw, sql, value, where } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, namesNow, people } from './people.ts'

const foundSchema = z.array(
  z.object({ kind: z.enum(['team', 'challenge', 'person']), id: z.string(), name: z.string() }),
)
export type Found = z.infer<typeof foundSchema>[number]

type Moment = Pick<Scope, 'asOf' | 'now'>

/** Names that begin with the text come first. */
export const search: Statement<{ text: string; at: Moment; limit: number }> = {
  name: 'search',
  about: 'names',
  text({ text, at, limit }, seen) {
    const needle = value('String', text)
    const name = folded(raw('name'))
    const place = sql`position(${name}, ${folded(sql`${needle}`)})`
    return sql`WITH ${asOf(at)}
SELECT kind, id, name
FROM
(
    SELECT kind, id, name, '' AS email FROM (${namesNow(seen)})
    UNION ALL
    SELECT 'person' AS kind, user_id AS id, ${seen.name('name', 'user_id')} AS name, ${seen.name('email')} AS email
    FROM (${people(at, ['name', 'email', 'active'])})
    ${where(raw('active'), seen.only('user_id'))}
)
WHERE id != '' AND (id = ${needle} OR ${place} > 0 OR startsWith(lowerUTF8(email), lowerUTF8(${needle})))
ORDER BY ${place} = 1 DESC, ${name}, id
LIMIT ${value('UInt32', limit)} BY kind`
  },
}

/** People as of a moment, by the name they had then; of teams and challenges only the latest name is kept. `limit`: of each kind. */
export async function readSearch(reader: Reader, text: string, at: Moment, limit: number): Promise<Found[]> {
  return foundSchema.parse(await select(reader, search, { text, at, limit }))
}
