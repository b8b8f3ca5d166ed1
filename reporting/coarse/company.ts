/**
 * The company's figures for a manager, beside the exact ones of the manager's people: their share as it is, plus that of all others as it is
 * told to readers of rounded numbers. So these others are as such a reader would see them if only they were here, and nothing more: in
 * scopes of one team or challenge, now or at the end of a past day, of at least five others, who are not few more than another group.
 */
import type { Rate } from '../../schemas/metrics/answer.ts'
import { toRatio } from '../../schemas/metrics/metrics.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { everybody, toAudienceKey } from '../audience.ts'
import { createBlockReader, holdBlocks } from '../statements/read-blocks.ts'
import { createHeldAnswers } from '../metrics/held-answers.ts'
import { toCounts, type Counts } from '../metrics/to-metrics.ts'
import { toRanking, toTeamRows } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'
import { readSeenAndSelf } from '../read/statement.ts'
import { countGroups, isCoarseScope } from './check-scope.ts'
import { readShownGroups } from './read-shown-groups.ts'
import { findSize, type ShownGroups } from './shown-groups.ts'
import { toCoarseCount } from './to-coarse.ts'

export type Share = Pick<Rate<string>, 'value' | 'numerator' | 'denominator'>
type OwnLine = { id: string; on_time_rate: Share }

/** Medians are none of these: the others' cannot be told from everybody's and one's own. */
export type Company = Record<'completion_rate' | 'on_time_rate' | 'overdue_rate', Share> & {
  people: number
  /** On time; of lines that are large enough, where the reader's own are given. */
  lines: ReadonlyMap<string, Share>
}

/** `lines`: the own ones by team or challenge. Default: none. */
export type OwnFigures = { metrics: Counts; by?: 'team' | 'challenge'; lines?: readonly OwnLine[] }

/** For the reader who asks. `null`: a scope in which the others cannot be told, or the reader sees everybody. */
export function createCompany(reader: Reader, settings: ScopeSettings) {
  // There are no figures of attributes, so their values leave out no team.
  const all: Reader = { ...reader, attributes: [], audience: () => everybody, seenIds: async () => null }
  const read = holdBlocks(createBlockReader(all))
  const answers = createHeldAnswers<ShownGroups>()

  return async (scope: Scope, ours: OwnFigures): Promise<Company | null> => {
    const audience = reader.audience()
    if (audience.people === 'all' || !isCoarseScope(scope, settings)) return null
    const readOthers = async () => readShownGroups(all, scope, [...((await readSeenAndSelf(reader)) ?? [])])
    const others = await answers.get(
      `${toAudienceKey(audience)} ${scope.asOf === scope.now ? 'now' : scope.asOf}`,
      readOthers,
    )
    if (findSize(scope, others) === null) return null
    const { by = 'team', lines = [] } = ours
    // Within a team, the line of a challenge would be both.
    const hasLines = lines.length > 0 && countGroups(scope) === 0
    const { blocks, scope: answered } = await read({ scope, detail: hasLines ? 'overview' : 'counts' })
    const metrics = toCounts(blocks, answered)
    const everyLine = hasLines
      ? toRanking(by === 'team' ? toTeamRows(blocks.team_sets) : blocks.challenges, by, [])
      : []
    const ownLines = new Map(lines.map(({ id, on_time_rate }) => [id, on_time_rate]))
    const shownIds = by === 'challenge' ? others.challenge : others.groups.get('team')
    const shown = everyLine.filter(({ id }) => shownIds?.has(id))
    return {
      completion_rate: toCompanyShare(metrics.completion_rate, ours.metrics.completion_rate),
      on_time_rate: toCompanyShare(metrics.on_time_rate, ours.metrics.on_time_rate),
      overdue_rate: toCompanyShare(metrics.overdue_rate, ours.metrics.overdue_rate),
      people: toCompanyCount(metrics.people_fully_complete.denominator, ours.metrics.people_fully_complete.denominator),
      lines: new Map(
        shown.map(({ id, on_time_rate }) => [id, toCompanyShare(on_time_rate, ownLines.get(id) ?? nothing)]),
      ),
    }
  }
}

const nothing: Share = { value: null, numerator: 0, denominator: 0 }

function toCompanyCount(all: number, ours: number): number {
  return ours + toCoarseCount(Math.max(0, all - ours))
}

function toCompanyShare(all: Share, ours: Share): Share {
  const numerator = toCompanyCount(all.numerator, ours.numerator)
  const denominator = toCompanyCount(all.denominator, ours.denominator)
  return { value: toRatio(numerator, denominator), numerator, denominator }
}
