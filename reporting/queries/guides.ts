/** Guides as of now: their metrics, by guide and by team. */
import { z } from 'zod'
import type { GuidesAnswer } from '../../schemas/answers/guides.ts'
import { toGuideMetrics, type GuideFacts, type GuideMetrics } from '../../schemas/metrics/guide-metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { AttributeOptions, Option } from '../metrics/overview.ts'
import { toAttributeOptions } from '../metrics/to-overview.ts'
import { readNames } from '../statements/page-frame.ts'
import { toScopeArgs } from '../statements/reporting-lines.ts'
import { flagSchema as flag, toInstantOrNull } from '../../schemas/instant.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { guides } from '../statements/guides.ts'
import { readTeamNames, settle } from '../statements/people.ts'

/** With the names for the filters of a page, whatever the scope. */
export type GuidesPageAnswer = GuidesAnswer & { options: GuideOptions }

type GuideOptions = { guides: Option[]; teams: Option[]; people: Option[]; attributes: AttributeOptions[] }

const rowSchema = z.tuple([
  z.object({
    facts: z.array(
      z.tuple([z.string(), z.array(z.string()), flag, flag, flag, flag, flag, flag, z.number()]),
    ),
    guides: z.array(z.tuple([z.string(), z.string()])),
    attributes: z.array(z.tuple([z.string(), z.string(), z.string()])),
    pulls: z.array(z.tuple([z.string(), z.number()])),
    is_sample: z.boolean(),
  }),
])

/** `scope`: as of now. */
export async function readGuides(
  reader: Reader,
  scope: Scope,
  guide: readonly string[],
): Promise<GuidesPageAnswer> {
  const [args, moment] = await Promise.all([toScopeArgs(reader, scope), settle(reader, scope)])
  // Nobody asks twice about the same instant.
  const statement = { ...guides, isHeld: scope.dueEnd === 'end_of_day' }
  const [rows, teams, people] = await Promise.all([
    select(reader, statement, { ...args, moment, guide, attributes: reader.attributes ?? [] }),
    readTeamNames(reader),
    readNames(reader, scope, [...scope.manager, ...scope.user]),
  ])
  const [row] = rowSchema.parse(rows)
  const facts = row.facts.map(toFacts)
  const titles = new Map(row.guides)
  const pulls = new Map(row.pulls)
  return {
    as_of: new Date(scope.now).toISOString(),
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    sample: row.is_sample,
    pulled: {
      guides: toInstantOrNull(pulls.get('guides') ?? null),
      assignments: toInstantOrNull(pulls.get('guide-assignments') ?? null),
      changes: toInstantOrNull(pulls.get('guide-assignment-changes') ?? null),
    },
    options: {
      guides: toOptions(titles),
      teams: toOptions(teams),
      people,
      attributes: toAttributeOptions(row.attributes),
    },
    metrics: toGuideMetrics(facts),
    unseen: facts.reduce((sum, { unseen, count }) => sum + (unseen ? count : 0), 0),
    by_guide: toSorted(
      [...Map.groupBy(facts, ({ guideId }) => guideId)].map(([id, ofGuide]) => ({
        guide_id: id,
        guide: titles.get(id) || null,
        ...toGuideMetrics(ofGuide),
      })),
      (one) => [one.guide ?? one.guide_id, one.guide_id],
    ),
    by_team: toSorted(
      [...Map.groupBy(facts.flatMap(toTeamFacts), ([team]) => team)].map(([id, ofTeam]) => ({
        team_id: id === '' ? null : id,
        team: teams.get(id) ?? null,
        ...toGuideMetrics(ofTeam.map(([, fact]) => fact)),
      })),
      (one) => [one.team ?? one.team_id ?? '', one.team_id ?? ''],
    ),
  }
}

function toFacts(values: z.infer<typeof rowSchema>[0]['facts'][number]): GuideFacts {
  const [guideId, teams, completed, dueKnown, completedAtKnown, completedInTime, late, unseen, count] = values
  return { guideId, teams, completed, dueKnown, completedAtKnown, completedInTime, late, unseen, count }
}

/** No team is a line of its own. */
function toTeamFacts(fact: GuideFacts): [string, GuideFacts][] {
  return (fact.teams.length === 0 ? [''] : fact.teams).map((team) => [team, fact])
}

function toOptions(names: ReadonlyMap<string, string>): Option[] {
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => compare([a.name || a.id, a.id], [b.name || b.id, b.id]))
}

type Named = readonly [name: string, id: string]
const byText = new Intl.Collator('en', { numeric: true })
const compare = (a: Named, b: Named): number => byText.compare(a[0], b[0]) || (a[1] < b[1] ? -1 : 1)

/** Most assignments first; ties by name, and of equal names by id. */
function toSorted<Row extends GuideMetrics>(rows: Row[], named: (row: Row) => Named): Row[] {
  return rows.sort((a, b) => b.assigned.value - a.assigned.value || compare(named(a), named(b)))
}
