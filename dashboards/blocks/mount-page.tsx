import type { Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'
import { routePolicy } from '../access/route-policy.ts'
import { explainHref, Figure } from '../components/figure.tsx'
import { draw } from '../components/figures/draw-charts.ts'
import { Plot } from '../components/plot.tsx'
import { ScopePage } from '../components/scope-page.tsx'
import { arrange, say, sortsOf, TableView } from '../components/table.tsx'
import type { RouteContext } from '../dashboards-deps.ts'
import { pageRequest } from '../http/page-request.ts'
import { sendFile } from '../http/send-file.ts'
import { allFilters } from '../scope/follow.ts'
import { ownFilters, readOwn } from '../scope/page-keys.ts'
import { href, withChange, type OwnParams } from '../scope/page-url.ts'
import { ListFoot } from './list-foot.tsx'
import type { AnyPage, AnyView, Bare, Block, List } from './page.ts'

/** The largest list that a page shows whole. */
const mostAtOnce = 500

/** The page and the files of its blocks. */
export function mountPage(app: Hono, routes: RouteContext, page: AnyPage): void {
  const { path, blocks } = page
  const filePath = `${path}/:file{[a-z-]+\\.(csv|xlsx)}`
  for (const each of [path, filePath])
    if (!(`GET ${each}` in routePolicy)) throw new Error(`access/route-policy.ts does not say who may open ${each}`)
  app.get(path, async (c) => {
    const { view, request } = await readView(c, routes, page)
    const shown = blocks.filter((block) => !('isShown' in block) || (block.isShown?.(view) ?? true))
    return c.html(
      ScopePage({
        context: view.context,
        title: t(page.title as 'Person'),
        question: t(page.question as 'Person'),
        frame: view.data,
        exports: toExports(shown, view),
        notices: request.notices,
        own: ownFilters(page.keys.own, view.own, view).map((filter) => ({
          ...filter,
          href: view.to({ [filter.key]: null }),
        })),
        ...(page.keys.compares === true && { comparable: true }),
        children: pair(await Promise.all(shown.map(async (block) => [block, await showBlock(block, view)] as const))),
      }),
    )
  })
  app.get(filePath, async (c) => {
    const [name = ''] = (c.req.param('file') ?? '').split('.')
    const block = blocks.find(({ id }) => id === name)
    if (block === undefined || 'bare' in block || block.list === undefined) return c.notFound()
    const { view, request } = await readView(c, routes, page)
    const { table, all } = await readRows(block.list, view, { offset: 0, limit: Number.POSITIVE_INFINITY })
    const own = ownFilters(page.keys.own, view.own, view, block.list.narrowedBy ?? [])
    return sendFile(
      c,
      `${path.slice(1).replaceAll('/', '-')}-${name}`,
      { table, rows: all },
      { ...request, own },
      view.data,
    )
  })
}

async function readView(c: Context, routes: RouteContext, { keys, read }: AnyPage) {
  const { ignored: idle = [], compares = false } = keys
  const request = pageRequest(c, routes, { ignore: Object.keys(keys.own), idle, compares })
  const { own, notices } = readOwn(keys.own, request.query)
  const { scope, previous, rowParams, params } = request
  const ask = { routes, scope, previous, rowParams, own }
  const data = await read(ask)
  const asOf = data.answer.as_of
  // The whole page is of the moment of its numbers.
  const pinned = withChange(params, { as_of: asOf, compare: null })
  const context = { ...request.context(asOf), keeps: own }
  const view: AnyView = {
    ...ask,
    scope: { ...scope, asOf: Date.parse(asOf) },
    context,
    data,
    to: (change: OwnParams, block) =>
      `${href(context.path, allFilters(context), { ...own, ...change })}${block === undefined ? '' : `#${block}`}`,
    file: (block) => href(`${context.path}/${block}.csv`, pinned),
  }
  return { view, request: { ...request, notices: [...request.notices, ...notices] } }
}

/** Own keys that are set, of a block that they narrow, are in the address of its file. */
function fileOf({ id, list }: Block<AnyView>, view: AnyView) {
  const own = Object.fromEntries((list?.narrowedBy ?? []).map((key) => [key, view.own[key]]))
  const [path = '', query] = view.file(id).split('?')
  return href(path, new URLSearchParams(query), own)
}

function toExports(blocks: readonly (Block<AnyView> | Bare<AnyView>)[], view: AnyView) {
  return blocks.flatMap((block) => {
    if ('bare' in block || block.list === undefined) return []
    return [{ name: say(block.list.table(view).label), href: fileOf(block, view) }]
  })
}

/** The rows on the page, of which `total`, and from which on. `all`: every row, where they were read whole. */
async function readRows(
  { table: tableOf, rows, sortKey }: List<AnyView>,
  view: AnyView,
  part: { offset: number; limit: number },
) {
  const table = tableOf(view)
  const wanted = sortKey === undefined ? undefined : view.own[sortKey]
  const by = wanted !== undefined && sortsOf(table).includes(wanted) ? wanted : table.order
  const read = await rows(view, { ...part, by })
  if ('total' in read) return { table, by, all: read.rows as never[], shown: read.rows as never[], total: read.total }
  const all = arrange(table, read as never[], by)
  return { table, by, all, shown: all.slice(part.offset, part.offset + part.limit), total: all.length }
}

async function showBlock(block: Block<AnyView> | Bare<AnyView>, view: AnyView): Promise<Child> {
  if ('bare' in block) return block.bare(view)
  const { id, title, finding, defines, also, sql, tools, empty, list, chart } = block
  const { context } = view
  const sayFinding = finding(view)
  const drawn = chart === undefined ? undefined : await draw(chart(view), view.routes)
  const rows = list === undefined ? undefined : await showList(id, list, view, drawn !== undefined)
  const plot = drawn && (
    <Plot
      {...drawn}
      format={context.format}
      label={t('Line chart. {finding}', { finding: sayFinding })}
      endLabels
      {...block.plot?.(view)}
    />
  )
  const explained = sql === undefined ? undefined : explainHref(context, sql)
  return (
    <Figure
      id={id}
      title={typeof title === 'string' ? t(title as 'Person') : title(view)}
      finding={sayFinding}
      defines={defines}
      {...(block.wide === true && { className: 'wide' })}
      {...(also !== undefined && { also })}
      {...(explained !== undefined && { sql: explained })}
      {...(list !== undefined && { csv: fileOf(block, view) })}
      {...(drawn !== undefined && { numbers: rows })}
      tools={tools?.(view)}
      empty={empty?.(view) ?? null}
    >
      {block.content?.(view, drawn) ?? plot ?? rows}
    </Figure>
  )
}

async function showList(id: string, list: List<AnyView>, view: AnyView, plotted: boolean): Promise<Child> {
  const { most = mostAtOnce, pageKey, sortKey, all } = list
  const place = pageKey === undefined ? '1' : (view.own[pageKey] ?? '1')
  const part = place === 'all' ? { offset: 0, limit: mostAtOnce } : { offset: (Number(place) - 1) * most, limit: most }
  const { table, by, shown, total } = await readRows(list, view, part)
  if (shown.length === 0 && list.empty !== undefined) return <p class="empty">{list.empty(view)}</p>
  return (
    <>
      <TableView
        context={view.context}
        table={table}
        rows={shown}
        plotted={plotted}
        sorting={sortKey === undefined ? undefined : { by, href: (key) => view.to({ [sortKey]: key, page: null }, id) }}
      />
      <ListFoot
        format={view.context.format}
        label={say(table.label)}
        from={part.offset}
        shown={shown.length}
        total={total}
        most={most}
        toPage={pageKey === undefined ? undefined : (page) => view.to({ [pageKey]: page }, id)}
        all={
          all?.(view) ?? (pageKey !== undefined && total <= mostAtOnce ? view.to({ [pageKey]: 'all' }, id) : undefined)
        }
      />
    </>
  )
}

/** Two blocks that are not wide share a line. */
function pair(blocks: readonly (readonly [Block<never> | Bare<never>, Child])[]): Child {
  const lines: Child[] = []
  let waiting: Child | undefined
  for (const [block, child] of blocks) {
    if ('bare' in block || block.wide === true) {
      if (waiting !== undefined) lines.push(waiting)
      waiting = undefined
      lines.push(child)
    } else if (waiting === undefined) waiting = child
    else {
      lines.push(
        <div class="pair">
          {waiting}
          {child}
        </div>,
      )
      waiting = undefined
    }
  }
  return (
    <>
      {lines}
      {waiting}
    </>
  )
}
