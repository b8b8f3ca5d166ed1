import { changeCauses, changeKinds } from '../../../reporting/metrics/changes.ts'
import type { ChangeCounts } from '../../../reporting/metrics/changes.ts'
import type { ChangePage } from '../../../reporting/queries/changes.ts'
import { causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageData, View } from '../../blocks/page.ts'
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

/** The causes among the changes; of a single one nothing need be said. */
export function causesOf({ data: { counts } }: ChangesView) {
  const causes = changeCauses.filter((cause) => counts.kinds.some((kind) => kind.causes[cause] > 0))
  return causes.length < 2 ? [] : causes
}
