import { rich, t, type Message } from '../../../language/translate.ts'
import { Count } from '../../components/count.tsx'
import type { HomeView } from './view.ts'

/** The direct reports of the manager who reads, before the numbers of everyone else. */
export function OwnTeam({ context, data: { team }, scope: { dueSoonDays: days } }: HomeView) {
  if (team === null) return null
  const { manager, metrics } = team
  const { overdue, grading_backlog: waiting, due_soon: soon } = metrics
  const count = (fact: string, value: number, words: Message) => (
    <Count context={context} n={value} narrow={{ manager, manager_depth: '1', fact }}>
      {t(words, { n: context.format.count(value), days })}
    </Count>
  )
  return (
    <p class="own-team" id="own-team">
      {rich('Your team: {overdue}, {waiting}, {soon}', {
        overdue: count('overdue', overdue.value, '{n} overdue'),
        waiting: count('awaiting_grading', waiting.value, '{n} waiting for a grade'),
        soon: count(
          'due_soon',
          soon.value,
          '{n} due {days, plural, =0 {today} one {within # day} other {within # days}}',
        ),
      })}
    </p>
  )
}
