import type { Context, Hono } from 'hono'
import { t, type Message } from '../../language/translate.ts'
import { filePathOf, routePolicy } from '../access/route-policy.ts'
import { Chips, FilterBar } from '../components/filter-bar.tsx'
import { Layout } from '../components/layout.tsx'
import { Notices } from '../components/messages.tsx'
import { Crumb } from '../components/page-links.tsx'
import { Stamp } from '../components/stamp.tsx'
import type { RouteContext } from '../dashboards-deps.ts'
import { pageRequest } from '../http/page-request.ts'
import { sendFile } from '../http/send-file.ts'
import { filtersInWords } from '../scope/filter-words.ts'
import { allFilters } from '../scope/follow.ts'
import { findKey, ownFilters, pageNumber, readOwn, sortKey, type OwnKeys } from '../scope/page-keys.ts'
import { href, ownValues, pageParams, withChange, type OwnParams } from '../scope/page-url.ts'
import { fileKeys, readRows, toExports } from './list.tsx'
import type { AnyPage, AnyView } from './page.ts'
import { showBlocks } from './show-blocks.tsx'

/** The page and the files of its blocks. */
export function mountPage(app: Hono, routes: RouteContext, page: AnyPage): void {
  const { path, isList = false, blocks } = page
  // A page whose lists all have a file elsewhere has none of its own.
  const hasFiles = blocks.some(
    (block) => 'list' in block && block.list !== undefined && block.list.file === undefined,
  )
  const filePath = filePathOf(path, isList)
  for (const each of hasFiles ? [path, filePath] : [path])
    if (!(`GET ${each}` in routePolicy))
      throw new Error(`access/route-policy.ts does not say who may open ${each}`)
  app.get(path, async (c) => {
    const read = await readView(c, routes, page)
    return read === null ? findNothing(c, routes, page) : c.html(await showPage(page, read))
  })
  if (!hasFiles) return
  app.get(filePath, async (c) => {
    const [name = ''] = (c.req.param('file') ?? '').split('.')
    const block = blocks.find((block) => 'list' in block && (isList || block.id === name))
    if (block === undefined || 'bare' in block || block.list === undefined) return c.notFound()
    const read = await readView(c, routes, page)
    if (read === null) return findNothing(c, routes, page)
    const { view, request, keys } = read
    const { table, all } = await readRows(block.list, view, { offset: 0, limit: Number.POSITIVE_INFINITY })
    const own = ownFilters(keys, view, fileKeys(block.list))
    const what = [
      ...path.split('/').filter((part) => part !== '' && part !== ':id'),
      ...(isList ? [] : [name]),
    ]
    return sendFile(c, what.join('-'), { table, rows: all }, { ...request, own }, view.data)
  })
}

/** The files of Home have a folder, too. */
const toFolder = (path: string) => (path === '/' ? '/overview' : path)

const findNothing = (c: Context, routes: RouteContext, page: AnyPage) =>
  page.unknown?.(c, routes, c.req.param('id') ?? '') ?? c.notFound()

/** Those of the page, and those of its lists. */
function keysOf({ keys, blocks }: AnyPage): OwnKeys {
  const lists = blocks.flatMap((block) => ('list' in block && block.list !== undefined ? [block.list] : []))
  const ofLists = lists.flatMap((list) => [
    [list.pageKey, pageNumber] as const,
    [list.sortKey, sortKey] as const,
    [list.findKey, findKey] as const,
  ])
  return { ...Object.fromEntries(ofLists.filter(([name]) => name !== undefined)), ...keys.own }
}

type Read = NonNullable<Awaited<ReturnType<typeof readView>>>

async function readView(c: Context, routes: RouteContext, page: AnyPage) {
  const { ignored = [], compares = false, rows = false } = page.keys
  const keys = keysOf(page)
  const address = new URL(c.req.url).searchParams
  const id = c.req.param('id') ?? ''
  const { own, notices } = readOwn(keys, address)
  const fixed = page.fixed?.(id, own) ?? {}
  const isFixed = ([key]: [string, string]) => key in fixed
  const query = new URLSearchParams([...[...address].filter((each) => !isFixed(each)), ...ownValues(fixed)])
  const request = pageRequest(c, routes, { query, ignore: Object.keys(keys), idle: ignored, compares, rows })
  const { scope, previous, rowParams } = request
  const { params, idle } = toShown(request, fixed, address)
  const parts = { params, idle, idleKeys: [...ignored, ...Object.keys(fixed)] as typeof ignored, keeps: own }
  const ask = { routes, c, id, scope, previous, rowParams, own, context: { ...request.context(), ...parts } }
  const data = await page.read(ask)
  if (data === null) return null
  const asOf = data.answer.as_of
  const context = { ...request.context(asOf), ...parts }
  // The whole page is of the moment of its numbers.
  const pinned = withChange(params, { as_of: asOf, compare: null })
  const view: AnyView = {
    ...ask,
    scope: { ...scope, asOf: Date.parse(asOf) },
    context,
    data,
    to: (change: OwnParams, block) =>
      `${href(context.path, allFilters(context), { ...own, ...change })}${block === undefined ? '' : `#${block}`}`,
    file: (block) =>
      href(page.isList === true ? `${context.path}.csv` : `${toFolder(context.path)}/${block}.csv`, pinned),
  }
  return { view, request, keys, notices: [...request.notices, ...notices] }
}

/** The bar has no filter that the path sets. Others of the same kind in the address go along to the next page. */
function toShown(
  { params, idle }: { params: URLSearchParams; idle: URLSearchParams },
  fixed: OwnParams,
  address: URLSearchParams,
) {
  const others = [...address].filter(([key]) => key in fixed).slice(0, 50)
  const carried = pageParams(new URLSearchParams([...idle, ...others]))
  // The levels below a manager say nothing without one.
  if (!carried.has('manager')) carried.delete('manager_depth')
  return {
    params: withChange(params, Object.fromEntries(Object.keys(fixed).map((key) => [key, null]))),
    idle: carried,
  }
}

async function showPage(page: AnyPage, { view, keys, notices }: Read) {
  const { context, data } = view
  const words = (text: Message | ((view: AnyView) => string)) =>
    typeof text === 'string' ? t(text as 'Person') : text(view)
  const empty = page.empty?.(view) ?? null
  const blocks = empty === null ? page.blocks.filter((block) => block.isShown?.(view) ?? true) : []
  const shown = await showBlocks(blocks, view)
  const all = Object.fromEntries(shown.cut.map((key) => [key, 'all']))
  const printed = filtersInWords(context.params, context.format, data.options)
  const counts = page.counts?.(view)
  const own = ownFilters(keys, view)
    .filter(({ key }) => keys[key]?.chip?.isSwitch !== true)
    .map((filter) => ({ ...filter, href: view.to({ [filter.key]: null }) }))
  return (
    <Layout context={context} title={words(page.title)} sample={data.freshness.sample}>
      <div class="page-head">
        <div>
          <Crumb to={page.crumb?.(view)} />
          <h1 data-total={counts?.total} data-units={counts?.units}>
            {words(page.question)}
          </h1>
          {page.below?.(view)}
          <div id="stamp" data-swap>
            <Stamp context={context} overview={data} />
          </div>
        </div>
        {page.tools?.(view)}
      </div>
      {page.hasFilters === false ? (
        <Chips context={context} options={data.options} />
      ) : (
        <FilterBar
          context={context}
          options={data.options}
          exports={[...(page.exports?.(view) ?? []), ...toExports(blocks, view)]}
          print={shown.cut.length === 0 ? undefined : view.to(all)}
          comparable={page.keys.compares === true}
          moment={data.answer}
          own={own}
        />
      )}
      {printed === '' ? null : <p class="print-only filters-printed">{printed}</p>}
      <div id="results" data-swap>
        <Notices notices={[...notices, ...(page.notices?.(view) ?? []), ...shown.notices]} />
        {empty ?? shown.children}
      </div>
    </Layout>
  )
}
