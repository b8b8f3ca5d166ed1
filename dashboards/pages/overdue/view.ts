import type { Overdue } from '../../../reporting/statements/overdue.ts'
import type { View } from '../../blocks/page.ts'
import type { Reminded } from '../../components/remind.tsx'
import { oneOf } from '../../scope/page-keys.ts'

/** The parameters that only this page has. */
export const own = { group: oneOf(['manager']) }

/** `reminded`: the last reminder by person. */
export type OverdueData = Overdue & { reminded: ReadonlyMap<string, Reminded> }
export type OverdueView = View<OverdueData, typeof own>
