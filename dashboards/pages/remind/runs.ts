/** The outcome of earlier reminders: those that one person asked for on one day are a line. */
import { judgedMs, type Reminders } from '../../../digest/reminders.ts'
import { reachedStates } from '../../../digest/digest-store.ts'
import type { Visitor } from '../../../services/access/visitor.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { readOverdue } from '../../components/remind.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'

export type Run = {
  day: string
  by: string
  reached: number
  underWay: number
  /** Reasons, as stored, and how many people each. */
  failed: { detail: string; n: number }[]
  /** Assignments that people were reminded of. */
  of: number
  /** How many of these are not overdue any more; `null`: it is too early to say. */
  done: number | null
}

const mostRuns = 20

/** Owners see everybody's runs; managers their own, and of them the people that they still see. */
export async function readRuns(
  { queries, settings, clock }: Pick<RouteContext, 'queries' | 'settings' | 'clock'>,
  reminders: Reminders,
  { role, login }: Visitor,
): Promise<Run[]> {
  const [all, under] = await Promise.all([
    reminders.history(role === 'owner' ? undefined : login),
    queries.under(createScope(clock(), settings)),
  ])
  const people = under === null ? null : new Set(under)
  const visible = all.filter(({ user_id }) => people?.has(user_id) ?? true)
  const runs = [
    ...Map.groupBy(visible, ({ day, asked_by }) => JSON.stringify([day, asked_by])).values(),
  ].slice(0, mostRuns)
  const isJudged = (run: typeof visible) => run.every(({ asked_at_ms }) => clock() - asked_at_ms >= judgedMs)
  const isReached = ({ state }: (typeof visible)[0]) => reachedStates.includes(state)
  const users = [...new Set(runs.filter(isJudged).flatMap((run) => run.map(({ user_id }) => user_id)))]
  const overdue = await readOverdue({ queries, settings, clock }, users)
  return runs.map((run) => {
    const assignments = run.filter(isReached).flatMap((each) => each.assignments)
    const failed = run.filter((each) => !isReached(each) && each.state !== 'asked')
    return {
      day: run[0]?.day ?? '',
      by: run[0]?.asked_by ?? '',
      reached: run.filter(isReached).length,
      underWay: run.filter(({ state }) => state === 'asked').length,
      failed: [...Map.groupBy(failed, ({ detail }) => detail)].map(([detail, { length: n }]) => ({
        detail,
        n,
      })),
      of: assignments.length,
      done: isJudged(run) ? assignments.filter((id) => !overdue.has(id)).length : null,
    }
  })
}
