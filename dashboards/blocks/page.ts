/**
 * A page is data: a path, the keys of its address, one `read`, and a list of blocks. `mountPage` makes of it the page and the files of
 * its blocks: request, context, notices, stamp, filters, exports and unknown addresses. Its right is a row of `access/route-policy.ts`.
 */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Message } from '../../language/translate.ts'
import type { PageFrame } from '../../reporting/metrics/overview.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Chart } from '../charts/chart.ts'
import type { OwnDefinition } from '../components/figure.tsx'
import type { PlotProps } from '../components/plot.tsx'
import type { Stamped } from '../components/stamp.tsx'
import type { Table } from '../components/table.tsx'
import type { RouteContext } from '../dashboards-deps.ts'
import type { PageContext } from '../page-context.ts'
import type { Own, OwnKeys, PageKeys } from '../scope/page-keys.ts'
import type { OwnParams } from '../scope/page-url.ts'

export type Ask<Keys extends OwnKeys> = {
  routes: RouteContext
  c: Context
  /** The id in the path; empty if the path has none. */
  id: string
  scope: Scope
  /** The scope to compare with; `null`: none. */
  previous: Scope | null
  /** The scope as an address of the API. */
  rowParams: URLSearchParams
  own: Own<Keys>
  /** Of the reader. Its numbers have no rows yet. */
  context: PageContext
}

/** What every page has to read beside its own. */
export type PageData = PageFrame &
  Pick<Stamped, 'answer'> & {
    /** Of the values of its own keys, by id. */
    names?: ReadonlyMap<string, string>
  }

/** What a page reads. */
export type Read<F extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<F>>>

export type View<Data, Keys extends OwnKeys> = Ask<Keys> & {
  data: Data
  /** The page with other parameters of its own, at a block. */
  to(change: OwnParams, block?: string): string
  file(block: string): string
}

/** `by`: a key of the table, after `-` descending. */
export type Part = { offset: number; limit: number; by: string | undefined }

/** A table in a block. Its file has all rows. Made by `list`. */
export type List<V> = {
  table(view: V): Table<never>
  /** All rows, which are then found, ordered and cut here; or a part, cut where they were read. */
  rows(view: V, part: Part): Promise<readonly unknown[] | { rows: readonly unknown[]; total: number }>
  /** Rows at a time. Default: all. */
  most?: number
  /** The parameter that says which page of the rows. Default: only the first rows can be seen. */
  pageKey?: string
  /** The parameter of the order. Default: readers cannot sort. */
  sortKey?: string
  /** The parameter of a text to find. Default: readers cannot search. */
  findKey?: string
  /** Where all rows are. Default: `all` of `pageKey`. */
  all?(view: V): string | undefined
  narrowedBy?: readonly string[]
  empty?(view: V): Child
  /** The CSV of all rows, if another route has it. */
  file?(view: V): string
}

export type DrawnChart = { chart: Chart; svg: string | null }

export type Block<V> = {
  id: string
  title: Message | ((view: V) => string)
  /** Whether two share a line. Default: it has a line to itself. */
  isHalf?: boolean
  folded?: boolean
  isShown?(view: V): boolean
  /** The answer in one sentence. Undefined: there is none. */
  finding?(view: V): string | undefined
  defines?: (keyof Metrics)[]
  also?: readonly OwnDefinition[]
  /** The metric whose SQL analysts can open. */
  sql?: keyof Metrics
  tools?(view: V): Child
  /** In place of the content. `null`: there is content. */
  empty?(view: V): Child | null
  list?: List<V>
  /** Drawn above; the list is then behind it, as its numbers. */
  chart?(view: V): Chart
  plot?(view: V): Partial<PlotProps>
  /** Anything around the list or the plot, or in place of them. */
  content?(view: V, parts: { list: Child; find: Child; plot: Child; drawn: DrawnChart | undefined }): Child
}

/** A part of the page with a frame of its own. */
export type Bare<V> = {
  id: string
  isShown?(view: V): boolean
  bare(view: V): Child | Promise<Child>
}

export type Link = { href: string; name: string }

type Words<V> = Message | ((view: V) => string)

export type Page<Data extends PageData, Keys extends OwnKeys> = {
  /** Of one thing: with `:id`. */
  path: string
  /** Whether pages of single things are below it. Then the file of its list is PATH.csv. Default: PATH/BLOCK.csv. */
  isList?: boolean
  title: Words<View<Data, Keys>>
  question: Words<View<Data, Keys>>
  keys: PageKeys<Keys>
  /** Filters that the page sets by itself, as the thing in its path. `null`: never set here. */
  fixed?(id: string, own: Own<Keys>): OwnParams
  read(ask: Ask<Keys>): Promise<Data | null>
  unknown?(c: Context, routes: RouteContext, id: string): Response | Promise<Response> | undefined
  /** The page above this one. */
  crumb?(view: View<Data, Keys>): Link
  /** Actions, beside the question. */
  tools?(view: View<Data, Keys>): Child
  /** Under the question. */
  below?(view: View<Data, Keys>): Child
  /** Files of other routes, before those of the blocks. */
  exports?(view: View<Data, Keys>): Link[]
  /** On what the page could not use of its address. */
  notices?(view: View<Data, Keys>): string[]
  /** How many rows it has, and how often they count. */
  counts?(view: View<Data, Keys>): { total: number; units?: number } | undefined
  /** Whether readers can choose filters and files. Default: yes. */
  hasFilters?: boolean
  /** In place of the blocks. `null`: there are blocks. */
  empty?(view: View<Data, Keys>): Child | null
  blocks: readonly (Block<View<Data, Keys>> | Bare<View<Data, Keys>>)[]
}

/** As `mountPage` takes it. */
export type AnyPage = Page<PageData, OwnKeys>
export type AnyView = View<PageData, OwnKeys>

/** Checks a page with the types of its own data and keys. */
export const definePage = <Data extends PageData, Keys extends OwnKeys>(page: Page<Data, Keys>): AnyPage =>
  page as unknown as AnyPage
