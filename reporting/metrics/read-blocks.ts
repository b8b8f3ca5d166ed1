/** The blocks of `blocks.sql`, read in one statement and checked; before them, how far the data are complete. */
import { z } from 'zod'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime, toScopeParams } from '../queries/sql.ts'
import { integer, pageSchema, toBlocks, toRows, type Blocks, type Detail, type NumberBlocks } from './blocks.ts'
import type { CountedParts } from './counted-parts/counted-parts.ts'
import type { Reader } from '../read/reader.ts'

const throughSchema = z.tuple([z.object({ complete_through: integer.nullable() })])

export async function readBlocks(
  reader: Reader,
  scope: Scope,
  detail: Detail,
  counted?: CountedParts,
): Promise<Blocks> {
  const [{ complete_through }] = throughSchema.parse(await selectRows(reader, 'complete-through', {}))
  const [numbers, page] = await Promise.all([
    readNumbers(reader, scope, detail, counted),
    readPage(reader, scope, detail),
  ])
  return { ...numbers, ...page, complete_through }
}

/** From counts that are kept where they can say it, else from the store. */
async function readNumbers(
  reader: Reader,
  scope: Scope,
  detail: Detail,
  counted?: CountedParts,
): Promise<NumberBlocks> {
  const kept = await counted?.read(scope, detail)
  return (
    kept ?? toBlocks(toRows(await selectRows(reader, 'blocks', toScopeParams(scope), toFlags(scope, detail))), scope)
  )
}

async function readPage(reader: Reader, scope: Scope, detail: Detail): Promise<z.infer<typeof pageSchema>> {
  return detail === 'metrics'
    ? { names: [], is_sample: false, has_challenge_events: false, received: [null, null, null, null] }
    : selectPage(reader, scope)
}

/** What a page shows around numbers that come from elsewhere. */
export async function readPageFrame(
  reader: Reader,
  scope: Scope,
): Promise<z.infer<typeof pageSchema> & Pick<Blocks, 'complete_through'>> {
  const [{ complete_through }] = throughSchema.parse(await selectRows(reader, 'complete-through', {}))
  return { ...(await selectPage(reader, scope)), complete_through }
}

async function selectPage(reader: Reader, scope: Scope): Promise<z.infer<typeof pageSchema>> {
  const today = toDateTime(toStartOfDay(scope.timeZone, toLocalDate(scope.timeZone, scope.now)))
  return z.tuple([pageSchema]).parse(await selectRows(reader, 'page', { today }))[0]
}

/** What the statement has to hold. A filter by facts needs them of every assignment; then the view does all the filtering. */
function toFlags(scope: Scope, detail: Detail): Record<string, boolean> {
  const byFact = [scope.status, scope.fact, scope.aging].some((filter) => filter.length > 0)
  const isGiven = (...filters: unknown[]) =>
    !byFact && filters.some((filter) => (Array.isArray(filter) ? filter.length > 0 : filter !== undefined))
  const given = {
    assigned: isGiven(scope.assignedFrom, scope.assignedTo),
    completed: isGiven(scope.completedFrom, scope.completedTo),
    due: isGiven(scope.dueFrom, scope.dueTo),
    challenge: isGiven(scope.challenge),
    user: isGiven(scope.user),
    manager: isGiven(scope.manager),
    team: isGiven(scope.team),
  }
  return {
    ...given,
    filtered: byFact || Object.values(given).some(Boolean),
    overview: detail === 'overview',
    instant: scope.dueEnd === 'instant',
    by_fact: byFact,
    without_leavers: !byFact && scope.team.length === 0 && !scope.includeLeavers,
  }
}
