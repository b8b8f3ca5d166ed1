/** Lines of rankings, waits and reports for the pages of objects. For tests and screenshots of the pages only. */
import type { Queries } from '../../../reporting/queries/queries.ts'
import type { RankingRow } from '../../../reporting/metrics/overview.ts'
import type { GroupRow, ManagerRow } from '../../../reporting/statements/groups.ts'
import { fixtureNow, overviewFixture } from './fixture.ts'

const toLine = (row: RankingRow, n: number): GroupRow => ({
  ...row,
  grade: row.assigned < 20 ? { n: 0, median: null } : { n: row.assigned - 12, median: 60 + (n % 7) * 5.5 },
})

/** Some were better four weeks before, and some worse. */
function toEarlier<Line extends RankingRow>(line: Line, n: number, asOf: number): Line {
  if (asOf > fixtureNow - 27 * 86_400_000) return line
  const { numerator, denominator, excluded } = line.on_time_rate
  const earlier = Math.max(0, numerator + ((n % 3) - 1) * 2)
  return {
    ...line,
    on_time_rate: { value: earlier / denominator || 0, numerator: earlier, denominator, excluded },
  }
}

const names = ['Grace Okafor', 'Zoë Wolfeschlegelsteinhausenbergerdorff', 'Li Wei', '', 'Noah Haddad']

/** `options`: as of the overview fixture. */
export function objectsFixture(options?: Parameters<typeof overviewFixture>[0]) {
  const overview = overviewFixture(options)
  const toManager = (row: RankingRow, n: number): ManagerRow => ({
    ...toLine(row, n),
    id: `m-${n}`,
    name: names[n % 5] ?? '',
    people: 3 + n,
    reports: 2 + (n % 4),
  })
  const teams = overview.by_team.filter(({ id }) => id !== '')
  return {
    groups: async ({ asOf }, by) => {
      const lines = (by === 'team' ? overview.by_team : overview.by_challenge).map(toLine)
      const { on_time_rate } = overview.answer.metrics
      return {
        lines: lines.map((line, n) => toEarlier(line, n, asOf)),
        whole: { ...lines[0]!, on_time_rate },
      }
    },
    managers: async ({ asOf }) => teams.map(toManager).map((line, n) => toEarlier(line, n, asOf)),
    reports: async () => ({
      people: teams.map((row, n): GroupRow => ({
        ...toLine(row, n),
        id: `m-${n}`,
        name: names[n % 5] ?? '',
      })),
      managers: teams.slice(0, 2).map(toManager),
    }),
    counts: async () => overview.answer.metrics,
    metrics: async ({ asOf }) => ({
      ...overview.answer,
      as_of: new Date(asOf).toISOString(),
      ...(asOf < fixtureNow - 60 * 86_400_000 && {
        metrics: { ...overview.answer.metrics, assigned: { value: 0 } },
      }),
    }),
  } satisfies Partial<Queries>
}
