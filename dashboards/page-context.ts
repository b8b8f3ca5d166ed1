import type { Standing } from '../reporting/statements/standing.ts'
import type { AccessNote } from '../services/notes/notes.ts'
import type { AccessView } from '../services/saved-views/saved-views.ts'
import type { Targets } from '../schemas/metrics/targets.ts'
import type { Silence } from '../schemas/silence.ts'
import type { OwnParams, PageKey } from './scope/page-url.ts'
import type { Problem } from '../language/problems.ts'
import type { DashboardSettings } from './settings.ts'
import type { Visitor } from '../services/access/visitor.ts'
import type { Format } from '../language/format.ts'

export type Theme = 'auto' | 'light' | 'dark'

/** Where the style sheet, the script, the icon and the usual font are served; the names carry a hash of the content. */
export type AssetUrls = { css: string; js: string; icon: string; font: string }

export type OutcomeProps = {
  says?: string | undefined
  undo?: { action: string; fields: Readonly<Record<string, string>> } | undefined
  problem?: Problem | string | undefined
}

/** The parts of every page beside its data. */
export type PageContext = {
  path: string
  /** Path and query as asked; of a form without a page of its own those of the page that it was on. */
  address: string
  /** The parameters of the URL in force, as the reader wrote them. */
  params: URLSearchParams
  /** Filters in the URL that the page ignores; its links carry them to the next page. Default: none. */
  idle?: URLSearchParams
  idleKeys: readonly PageKey[]
  /** State of the page besides its filters, which its links to itself keep; empty values are left out. Left out: none. */
  keeps?: OwnParams
  format: Format
  settings: DashboardSettings
  theme: Theme
  assets: AssetUrls
  /** How complete the numbers are; `null`: not known here. */
  standing: Standing | null
  /** Whether it is usual that nothing comes; `null`: not known here. */
  silence: Silence | null
  isReading?: boolean
  /** Whether the reader signed in with a password, which they can change. */
  hasPassword: boolean
  /** Saved views: the reader's own, and those offered to everybody. Left out: nobody saves views here. */
  views?: readonly AccessView[]
  targets?: Targets
  /** Where completion arrives at its present pace. Undefined: nothing to say. */
  pace?: string
  /** Notes on days, also of teams that the reader does not see. Left out: none. */
  notes?: readonly AccessNote[]
  /** How many people a narrowed reader sees. Left out: everybody, or it is not known here. */
  sees?: number
  outcome?: OutcomeProps
  visitor: Visitor
  /** Where the rows behind the page's numbers are: its scope as the API reads it, and its moment. Left out: no numbers. */
  rows?: { params: URLSearchParams; asOf: string }
}
