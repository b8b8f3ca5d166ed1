/** Guides as of now: their metrics, by guide and by team. */
import { z } from 'zod'
import type { GuidesAnswer } from '../../schemas/answers/guides.ts'
import { flagSchema } from '../../schemas/instant.ts'
import { guideOutcomes, toGuideMetrics, type GuideMetrics } from '../../schemas/metrics/guide-metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, PageFrame } from '../metrics/overview.ts'
import { compareNamed, groupByIds } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { toInScope } from '../statements/columns-for.ts'
import { guides, guideTitles } from '../statements/guides.ts'
import { readOptions } from '../statements/page-frame.ts'
import { settle } from '../statements/people.ts'
import { readIsSample } from '../statements/standing.ts'
import { readPulls } from './setup.ts'

/** With the names for the filters of a page, whatever the scope. */
export type GuidesPageAnswer = GuidesAnswer & {
  options: Omit<PageFrame['options'], 'challenges'> & { guides: Option[] }
}

const titleSchema = z.object({ id: z.string(), name: z.string() })
const countSchema = z.object({
  guide_id: z.string(),
  teams: z.array(z.string()),
  completed: flagSchema,
  outcome: z.enum(guideOutcomes),
  unseen: flagSchema,
  count: z.number(),
})

/** `scope`: as of now. */
export async function readGuides(
  reader: Reader,
  scope: Scope,
  guide: readonly string[],
): Promise<GuidesPageAnswer> {
  const [inScope, moment] = await Promise.all([toInScope(reader, scope), settle(reader, scope)])
  // Nobody asks twice about the same instant.
  const statement = { ...guides, isHeld: scope.dueEnd === 'end_of_day' }
  const [rows, titled, options, pulls, sample] = await Promise.all([
    select(reader, statement, { ...inScope, moment, guide }),
    select(reader, guideTitles, {}),
    readOptions(reader, scope),
    readPulls(reader),
    readIsSample(reader),
  ])
  const counts = countSchema.array().parse(rows)
  const titles = titleSchema.array().parse(titled)
  const pulledAt = (name: string) => pulls.find(({ job }) => job === name)?.last_success_at ?? null
  return {
    as_of: new Date(scope.now).toISOString(),
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    sample,
    pulled: {
      guides: pulledAt('guides'),
      assignments: pulledAt('guide-assignments'),
      changes: pulledAt('guide-assignment-changes'),
    },
    options: { ...options, guides: titles.sort(compareNamed) },
    metrics: toGuideMetrics(counts),
    unseen: counts.reduce((sum, { unseen, count }) => sum + (unseen ? count : 0), 0),
    by_guide: toLines(counts, ({ guide_id }) => [guide_id], titles).map(({ id, name, metrics }) => ({
      guide_id: id,
      guide: name || null,
      ...metrics,
    })),
    // No team is a line of its own.
    by_team: toLines(counts, ({ teams }) => teams, options.teams).map(({ id, name, metrics }) => ({
      team_id: id || null,
      team: name || null,
      ...metrics,
    })),
  }
}

type Counted = z.infer<typeof countSchema>

/** Most assignments first; ties by name, and of equal names by id. */
function toLines(
  counts: readonly Counted[],
  idsOf: (each: Counted) => readonly string[],
  names: readonly Option[],
): (Option & { metrics: GuideMetrics })[] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return [...groupByIds(counts, idsOf)]
    .map(([id, ofId]) => ({ id, name: nameOf.get(id) ?? '', metrics: toGuideMetrics(ofId) }))
    .sort((a, b) => b.metrics.assigned.value - a.metrics.assigned.value || compareNamed(a, b))
}
