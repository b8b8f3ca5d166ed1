/**
 * Who reports to whom, from the links of one instant. It walks instead of using a recursive query, which would visit people again and
 * again through cycles and shared managers; 50,000 people take a few milliseconds.
 */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { asOwn, type Reader } from '../read/reader.ts'
import { instant, sql } from '../expressions/sql.ts'
import { readSeenAndSelf, select, type Statement } from '../read/statement.ts'
import { links as linksAt, settle } from './people.ts'

type Moment = Pick<Scope, 'asOf' | 'now'>

/** Who reports directly to whom. Statements made after both the moment and now do not count. */
const links: Statement<Moment> = {
  name: 'links',
  about: 'everybody',
  isHeld: true,
  text: (moment) => sql`WITH ${instant(moment.asOf)} AS as_of
SELECT manager_id, groupArray(report_id) AS report_ids
FROM (${linksAt(moment)})
GROUP BY manager_id`,
}

const linksSchema = z.array(z.object({ manager_id: z.string(), report_ids: z.array(z.string()) }))

export type Reporting = ReturnType<typeof toReporting>

/** The whole organisation, for every reader: in the past, a person whom a reader does not see may stand between two whom they see. */
export async function readReporting(asking: Reader, moment: Moment): Promise<Reporting> {
  const reader = asOwn(asking)
  const rows = await select(reader, links, await settle(reader, moment))
  const reporting = reportings.get(rows) ?? toReporting(rows)
  reportings.set(rows, reporting)
  return reporting
}

/** Reporting lines by answers that are held. */
const reportings = new WeakMap<readonly unknown[], Reporting>()

/** The people under the managers of a scope; of them those that the reader sees. */
export async function readUnder(reader: Reader, scope: Scope): Promise<string[]> {
  // A manager that the reader does not see leads nobody, like one who does not exist.
  const [reporting, seenIds, shown] = await Promise.all([
    readReporting(reader, scope),
    reader.seenIds(),
    readSeenAndSelf(reader),
  ])
  const managers = scope.manager.filter((id) => shown?.has(id) ?? true)
  const under = underAnyOf(reporting, managers, scope.managerDepth)
  return seenIds === null ? [...under] : seenIds.filter((id) => under.has(id))
}

/** `rows`: those of `links`. */
export function toReporting(rows: unknown) {
  const links = linksSchema.parse(rows)
  const directReports = new Map(links.map((row) => [row.manager_id, row.report_ids]))
  const directManagers = new Map<string, string[]>()
  for (const { manager_id, report_ids } of links) {
    for (const id of report_ids) {
      if (id === manager_id) continue
      const others = directManagers.get(id)
      if (others === undefined) directManagers.set(id, [manager_id])
      else others.push(manager_id)
    }
  }
  for (const managers of directManagers.values()) managers.sort()
  return {
    /** Everybody with a direct report. */
    managers: [...directReports.keys()],
    /** Direct managers, by id; nobody is their own. */
    managersOf: (userId: string): readonly string[] => directManagers.get(userId) ?? [],
    /** Everybody at most `maxLinks` links above: of whose `reportsOf` somebody is. */
    managersAbove: (userId: string, maxLinks?: number) => walk(directManagers, userId, maxLinks),
    /** Everybody at most `maxLinks` links below, leavers included; never the manager. */
    reportsOf: (managerId: string, maxLinks?: number) => walk(directReports, managerId, maxLinks),
  }
}

/** Everybody at most so many links from somebody, without them. */
function walk(links: ReadonlyMap<string, readonly string[]>, from: string, maxLinks = Infinity): Set<string> {
  const ids = new Set([from])
  let level: readonly string[] = [from]
  for (let length = 0; length < maxLinks && level.length > 0; length++) {
    const next: string[] = []
    for (const each of level) {
      for (const id of links.get(each) ?? []) {
        if (ids.has(id)) continue
        ids.add(id)
        next.push(id)
      }
    }
    level = next
  }
  ids.delete(from)
  return ids
}

/** Under any of these managers. One of them may be under another. */
export function underAnyOf(
  reporting: Reporting,
  managers: readonly string[],
  maxLinks?: number,
): Set<string> {
  return new Set(managers.flatMap((id) => [...reporting.reportsOf(id, maxLinks)]))
}
