/** Changes of every kind, with long names and nobody named. For tests and screenshots of the page only. */
import type { Queries } from '../../../reporting/queries/queries.ts'
import { type ChangeCounts } from '../../../reporting/queries/change-counts.ts'
import { type Change } from '../../../reporting/queries/changes.ts'
import { briefKinds, changeKinds } from '../../../reporting/metrics/changes.ts'

const people = ['Ada Moreno', 'Zoë Wolfeschlegelsteinhausenbergerdorff', null]

const changes = changeKinds.map((kind, n): Change => ({
  assignment_id: `a-${n}`,
  user_id: n % 3 === 2 ? null : `u-${n}`,
  user_name: people[n % 3] ?? null,
  challenge_id: 'c-002',
  challenge: 'Objection handling: price',
  before: {
    in_scope: true,
    facts: ['in_progress'],
    grade: n === 7 ? 61 : null,
    due_date: '2026-11-18T00:00:00.000Z',
  },
  after: {
    in_scope: true,
    facts: ['overdue'],
    grade: n === 7 ? 74.5 : null,
    due_date: '2026-11-19T00:00:00.000Z',
  },
  kinds: [kind],
  reasons: [{ kind, causes: n % 2 === 0 ? ['event'] : ['time'] }],
  causes: n % 2 === 0 ? ['event'] : ['time'],
  changed_at: n % 2 === 0 ? '2026-11-19T10:00:00.000Z' : null,
  events:
    n % 2 === 0
      ? [
          {
            event_id: 'e',
            event_type: 'x',
            at: '2026-11-19T10:00:00.000Z',
            received_at: '2026-11-19T10:00:01.000Z',
          },
        ]
      : [],
}))

const counts: ChangeCounts = {
  total: 1_204,
  kinds: changeKinds.map((kind, n) => ({
    kind,
    n: 12 * (n + 1),
    causes: { event: 12, time: 12 * n, people: 0 },
    by_team: [{ id: 'g-north', n: kind === 'became_overdue' ? 17 : 9 }],
    by_challenge: [{ id: 'c-002', n: 7 }],
  })),
}

const brief = briefKinds.flatMap((kind) =>
  counts.kinds.filter((each) => each.kind === kind).map(({ n, by_team }) => ({ kind, n, by_team })),
)

export const changesFixture: Pick<Queries, 'changes' | 'changeCounts' | 'briefChanges'> = {
  changes: async () => ({ total: 1_204, changes, next: '42' }),
  changeCounts: async () => counts,
  briefChanges: async () => brief,
}

export const noChanges: typeof changesFixture = {
  changes: async () => ({ total: 0, changes: [], next: null }),
  changeCounts: async () => ({ total: 0, kinds: [] }),
  briefChanges: async () => [],
}
