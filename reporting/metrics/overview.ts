/** The data of the Overview page: one snapshot. Queries produce it, components draw it. */
import type { Metrics, MetricsAnswer } from '../../schemas/metrics/answer.ts'

/** One line of a ranking. Rates are those of METRICS.md over the line's assignments. */
export type RankingRow = {
  id: string
  /** Title or team name; the id where no name was ever sent. The empty id means "no team" or "unknown challenge". */
  name: string
  assigned: number
  completion_rate: Metrics['completion_rate']
  on_time_rate: Metrics['on_time_rate']
  overdue: number
  awaiting_grading: number
}

/** Assignments in scope by the week of their due day. late = completed late or overdue now; open = not due yet or awaiting. */
export type DueCohort = { period_start: string; on_time: number; late: number; open: number }

export type Freshness = {
  /** Receipt time of the newest stored delivery, ISO; `null` when there is none. */
  last_event_at: string | null
  /** Whether a challenge event ever came; a test event is none. */
  has_challenge_events: boolean
  /** As in `/api/metrics`. */
  complete_through: string | null
  /** Webhooks of the hour before, to the minute. */
  last_hour: number
  /** Deliveries kept as failed events since the start of today in the reporting zone. */
  failed_today: number
  /** Events stored whose type is not a challenge-assignment one, since the start of today. */
  unrecognised_today: number
  /** Whether the data comes from the sample platform: every page then says "sample data". */
  sample: boolean
}

export type Option = { id: string; name: string }

/** The values of an attribute of people to choose from. */
export type AttributeOptions = { name: string; values: Option[] }

/** The parts of a page around its numbers. */
export type PageFrame = {
  freshness: Freshness
  /** `people`: those that the scope names. */
  options: { challenges: Option[]; teams: Option[]; people: Option[]; attributes: AttributeOptions[] }
}

export type Overview = PageFrame & {
  answer: MetricsAnswer
  /** The numbers at the earlier moment that the answer is compared with. */
  previous: Pick<MetricsAnswer, 'as_of' | 'metrics'> | null
  due_cohorts: DueCohort[]
  by_challenge: RankingRow[]
  by_team: RankingRow[]
}
