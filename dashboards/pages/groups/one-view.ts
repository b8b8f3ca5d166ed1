/** The view of the page of one challenge, team or manager. */
import type { Reminded } from '../../components/remind.tsx'
import type { ForecastView } from '../../../reporting/queries/read-forecast.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { Reports } from '../../../reporting/statements/groups.ts'
import type { Person } from '../../../reporting/statements/learners.ts'
import type { DrawnChart } from '../../components/figures/figures.tsx'
import type { ObjectKind } from '../../components/group-url.ts'
import type { PageContext } from '../../page-context.ts'
import type { DaysBin } from './days-chart.ts'
import type { Standing } from './own-past.tsx'

export type OnePageProps = {
  /** Its filters are those besides the object. */
  context: PageContext
  kind: ObjectKind
  id: string
  name: string
  overview: Overview
  /** The whole scope as the API reads it, with the object. */
  rowParams: URLSearchParams
  /** The manager as a person: whom they report to, and their page as a learner. `null`: not known as a person. */
  person: Person | null
  /** Whether everybody below a manager counts, or direct reports only. */
  reports: 'direct' | 'all'
  notices: string[]
  /** `null` where the scope is empty. */
  blocks: Blocks | null
}

export type Blocks = {
  charts: { trend: DrawnChart; grades: DrawnChart }
  bins: readonly DaysBin[]
  days: DrawnChart
  late: readonly AssignmentRow[]
  /** By person. */
  reminded: ReadonlyMap<string, Reminded>
  /** Reports; of managers only. */
  below: Reports | null
  /** The forecast of a challenge or a team; `null` for managers. */
  forecast: { view: ForecastView; drawn: DrawnChart } | null
  /** Now and earlier, the newest first. */
  standings: readonly Standing[]
}
