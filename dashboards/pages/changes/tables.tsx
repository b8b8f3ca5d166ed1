import { capital } from '../../../language/format.ts'
import { isolateText } from '../../../language/translate.ts'
import type { Option } from '../../../reporting/metrics/overview.ts'
import {
  changeCauses,
  changeKinds,
  type ChangeCount,
  type ChangeCounts,
} from '../../../reporting/metrics/changes.ts'
import type { Change, ChangePage } from '../../../reporting/queries/changes.ts'
import { beforeAfter, causeWords, kindWords, statusIn } from '../../../reporting/words/change-words.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageData, View } from '../../blocks/page.ts'
import { ChallengeLink, PersonLink } from '../../components/people.tsx'
import { column, inFile, type Column, type Table } from '../../components/table.tsx'
import { oneOf, pageNumber, type OwnKey } from '../../scope/page-keys.ts'
import { readFrom, toMonday, toStart } from './moments.ts'

export const startOf = (from: string, scope: Scope) =>
  toStart(from, scope) ?? toMonday(scope.timeZone, scope.asOf)

/** The parameters that only this page has. */
export const own = {
  from: {
    read: readFrom,
    otherwise: 'monday',
    chip: {
      label: 'From',
      words: (from, scope, format) => format.instant(startOf(from, scope)),
      isSwitch: true,
    },
  } as OwnKey,
  kind: oneOf(changeKinds, { label: 'What', words: kindWords }),
  cause: oneOf(changeCauses, { label: 'Why', words: causeWords }),
  page: pageNumber,
}
export type ChangesData = PageData & {
  before: Scope
  visit: number | null
  counts: ChangeCounts
  page: ChangePage
}
export type ChangesView = View<ChangesData, typeof own>

/** Both sides of these kinds may be of another team: no team can be named. */
const ofMoves: readonly string[] = ['removed', 'came_into_scope', 'left_scope']

/** How much changed, by kind and cause, and where most of it. */
export function kindsTable(view: ChangesView): Table<ChangeCount> {
  const { to, context, data } = view
  const causes = changeCauses.filter((cause) => data.counts.kinds.some((kind) => kind.causes[cause] > 0))
  const ofCause = causes.map((cause): Column<ChangeCount> => ({
    kind: 'count',
    key: cause,
    head: () => capital(causeWords(cause)),
    value: (row) => row.causes[cause],
    optional: true,
    href: ({ kind }) => to({ kind, cause, page: null }, 'rows'),
  }))
  // Someone in two teams counts in both: where teams are chosen, the others are not named.
  const most = (groups: ChangeCount['by_team'], options: readonly Option[], filter: string) => {
    const chosen = context.params.getAll(filter)
    const first = groups.find(({ id }) => id !== '' && (chosen.length === 0 || chosen.includes(id)))
    const name = options.find(({ id }) => id === first?.id)?.name || first?.id
    return first === undefined ? [] : [`${isolateText(name ?? '')} ${context.format.count(first.n)}`]
  }
  const toPlaces = ({ kind, by_team, by_challenge }: ChangeCount) => {
    const { teams, challenges } = data.options
    const places = [...most(by_team, teams, 'team'), ...most(by_challenge, challenges, 'challenge')]
    return ofMoves.includes(kind) ? '' : places.join(', ')
  }
  return {
    label: 'Changes by kind',
    className: 'ranking',
    nameOf: ({ kind }) => capital(kindWords(kind)),
    columns: [
      column('text', 'kind', 'What'),
      column('count', 'assignments', 'Assignments', ({ n }) => n, {
        href: ({ kind }) => to({ kind, cause: null, page: null }, 'rows'),
      }),
      // Of a single cause nothing need be said.
      ...(causes.length < 2 ? [] : ofCause),
      column('text', 'mostly_in', 'Mostly in', toPlaces, { optional: true }),
    ],
  }
}

/** The causes, or those of each kind where they differ. */
function toWhy({ reasons }: Change): string {
  const words = reasons.map(({ kind, causes }) => ({ kind, why: causes.map(causeWords).join(', ') }))
  const [first] = words
  if (words.every(({ why }) => why === first?.why)) return first?.why ?? ''
  return words.map(({ kind, why }) => `${kindWords(kind)}: ${why}`).join('; ')
}

/** The changed assignments: before, after and why. */
export function changesTable(view: ChangesView): Table<Change> {
  const { context } = view
  return {
    label: 'Changed assignments',
    className: 'rows list-cards',
    columns: [
      column('text', 'user_name', 'Person', {
        cell: (row) => <PersonLink context={context} id={row.user_id} name={row.user_name} />,
      }),
      column('text', 'challenge', 'Challenge', {
        optional: true,
        cell: (row) => <ChallengeLink context={context} row={row} />,
      }),
      column('text', 'kinds', 'What', ({ kinds }) => kinds.join(' '), {
        cell: ({ kinds }) => kinds.map(kindWords).join(', '),
      }),
      column('text', 'before_after', 'Before → after', () => null, {
        only: 'page',
        cell: (row) => beforeAfter(row, context.format).join('; '),
      }),
      column('text', 'causes', 'Why', ({ causes }) => causes.join(' '), {
        // A page of one cause does not repeat it.
        only: new Set(view.data.page.changes.map(toWhy)).size < 2 ? 'file' : 'both',
        optional: true,
        cell: toWhy,
      }),
      column('instant', 'changed_at', 'When', {
        optional: true,
        cell: ({ changed_at: at }) =>
          at === null ? null : <time datetime={at}>{context.format.instant(at)}</time>,
      }),
      inFile('text', 'status_before', 'Status before', ({ before }) => statusIn(before) ?? ''),
      inFile('text', 'status_after', 'Status after', ({ after }) => statusIn(after) ?? ''),
      inFile('decimal', 'grade_before', 'Grade before', ({ before }) => before.grade),
      inFile('decimal', 'grade_after', 'Grade after', ({ after }) => after.grade),
      inFile('instant', 'due_before', 'Due before', ({ before }) => before.due_date),
      inFile('instant', 'due_after', 'Due after', ({ after }) => after.due_date),
      inFile('text', 'assignment_id', 'Assignment id'),
      inFile('text', 'user_id', 'Person id'),
      inFile('text', 'challenge_id', 'Challenge id'),
    ],
  }
}
