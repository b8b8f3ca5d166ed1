import { guideParts } from '../../../reporting/statements/guides.ts'
import { t } from '../../../language/translate.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import type { PageData, View } from '../../blocks/page.ts'
import { oneOf, type OwnKey } from '../../scope/page-keys.ts'
import { partNames } from './words.ts'

/** The parameters that only this page has. */
export const own = {
  guide: {
    read: (id) => id.slice(0, 200),
    chip: { label: 'Guide', words: (id, _scope, _format, names) => names?.get(id) || id },
  } as OwnKey,
  /** Which rows are listed. */
  show: oneOf(guideParts, { label: 'Guide assignments', words: (part) => t(partNames[part]) }),
}

/** `names`: of guides. */
export type GuidesView = View<
  PageData & { guides: GuidesPageAnswer; names: ReadonlyMap<string, string> },
  typeof own
>
