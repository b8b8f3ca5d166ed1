import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { ChangeCounts } from '../../../reporting/queries/change-counts.ts'
import type { ChangePage } from '../../../reporting/queries/changes.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageContext } from '../../page-context.ts'
import type { Moments } from './moments.ts'
import type { ChangeCause, ChangeCursor, ChangeKind } from '../../../reporting/metrics/changes.ts'

export type ChangesState = { kind: ChangeKind | null; cause: ChangeCause | null; after: ChangeCursor | undefined }

export type ChangesPageProps = {
  context: PageContext
  scope: Scope
  moments: Moments
  state: ChangesState
  counts: ChangeCounts
  page: ChangePage
  frame: PageFrame
  notices: string[]
}

export type ChangeLink = (
  change: Partial<Record<'kind' | 'cause' | 'after', string>> & { team?: string; challenge?: string },
  path?: string,
) => string
