/**
 * Who reports to whom, from the links of one instant (`links.sql`). It walks instead of using a recursive query, which
 * would visit people again and again through cycles and shared managers; 50,000 people take a few milliseconds.
 */
import { z } from 'zod'

const linksSchema = z.array(z.object({ manager_id: z.string(), report_ids: z.array(z.string()) }))

export type Reporting = {
  /** Everybody with a direct report. */
  managers: readonly string[]
  /** Everybody at most `maxLinks` links below, leavers included; never the manager. */
  reportsOf(managerId: string, maxLinks?: number): Set<string>
  /** Direct managers, by id; nobody is their own. */
  managersOf(userId: string): readonly string[]
}

/** `rows`: those of `links.sql`. */
export function toReporting(rows: unknown): Reporting {
  const links = linksSchema.parse(rows)
  const directReports = new Map(links.map((row) => [row.manager_id, row.report_ids]))
  const directManagers = new Map<string, string[]>()
  for (const { manager_id, report_ids } of links) {
    for (const id of report_ids) {
      if (id === manager_id) continue
      const known = directManagers.get(id)
      if (known === undefined) directManagers.set(id, [manager_id])
      else known.push(manager_id)
    }
  }
  for (const managers of directManagers.values()) managers.sort()
  const levelsBelow = (managerId: string, maxLinks: number): string[][] => {
    const found = new Set([managerId])
    const levels: string[][] = []
    let level = [managerId]
    while (level.length > 0 && levels.length < maxLinks) {
      const next: string[] = []
      for (const id of level.flatMap((each) => directReports.get(each) ?? [])) {
        if (found.has(id)) continue
        found.add(id)
        next.push(id)
      }
      if (next.length > 0) levels.push(next)
      level = next
    }
    return levels
  }
  return {
    managers: [...directReports.keys()],
    managersOf: (userId) => directManagers.get(userId) ?? [],
    reportsOf: (managerId, maxLinks = Number.POSITIVE_INFINITY) => new Set(levelsBelow(managerId, maxLinks).flat()),
  }
}

/** Under any of these managers. One of them may be under another. */
export function underAnyOf(reporting: Reporting, managers: readonly string[], maxLinks?: number): Set<string> {
  return new Set(managers.flatMap((id) => [...reporting.reportsOf(id, maxLinks)]))
}
