import { rich, t } from '../../../language/translate.ts'
import { Count } from '../../components/count.tsx'
import type { HomeView } from './view.ts'

/** The direct reports of the manager who reads, before the numbers of everyone else. */
export function OwnTeam({ context, data: { team }, scope: { dueSoonDays: days } }: HomeView) {
  if (team === null) return null
  const { manager, metrics } = team
  const count = (fact: string, n: number, words: string) => (
    <Count context={context} n={n} narrow={{ manager, manager_depth: '1', fact }}>
      {words}
    </Count>
  )
  const { overdue, grading_backlog: waiting, due_soon: soon } = metrics
  return (
    <p class="own-team" id="own-team">
      {rich('Your team: {overdue}, {waiting}, {soon}', {
        overdue: count(
          'overdue',
          overdue.value,
          t('{n} overdue', { n: context.format.count(overdue.value) }),
        ),
        waiting: count(
          'awaiting_grading',
          waiting.value,
          t('{n} waiting for a grade', { n: context.format.count(waiting.value) }),
        ),
        soon: count(
          'due_soon',
          soon.value,
          t('{n} due {days, plural, =0 {today} one {within # day} other {within # days}}', {
            n: context.format.count(soon.value),
            days,
          }),
        ),
      })}
    </p>
  )
}
