/** The tables of blocks: their rows on a page, their files, and the ways through them. */
import { t } from '../../language/translate.ts'
import { Field, Hidden } from '../components/field.tsx'
import { arrange, find, say, sortsOf, TableView, type Table } from '../components/table.tsx'
import { allFilters } from '../scope/follow.ts'
import { unknownValue } from '../scope/parse-page.ts'
import { href, ownValues } from '../scope/page-url.ts'
import type { AnyView, Bare, Block, List, Part } from './page.ts'

/** The largest list that a page shows whole. */
const mostAtOnce = 500

type Rows<Row> = readonly Row[] | { rows: readonly Row[]; total: number }

export function list<V, Row>(
  of: Omit<List<V>, 'table' | 'rows'> & {
    table: Table<Row> | ((view: V) => Table<Row>)
    rows: (view: V, part: Part) => Rows<Row> | Promise<Rows<Row>>
  },
): List<V> {
  const { table, rows } = of
  return {
    ...of,
    table: (view) => (typeof table === 'function' ? table(view) : table) as unknown as Table<never>,
    rows: async (view, part) => rows(view, part),
  }
}

/** Own keys on which the rows of a file and their order depend. */
export const fileKeys = ({ narrowedBy = [], findKey, sortKey }: List<AnyView>): string[] =>
  [...narrowedBy, findKey, sortKey].filter((key) => key !== undefined)

export function fileOf({ id, list }: Block<AnyView>, view: AnyView): string {
  if (list?.file !== undefined) return list.file(view)
  const own = list === undefined ? {} : Object.fromEntries(fileKeys(list).map((key) => [key, view.own[key]]))
  const [path = '', query] = view.file(id).split('?')
  return href(path, new URLSearchParams(query), own)
}

export function toExports(blocks: readonly (Block<AnyView> | Bare<AnyView>)[], view: AnyView) {
  return blocks.flatMap((block) => {
    if ('bare' in block || block.list === undefined) return []
    return [{ name: say(block.list.table(view).label), href: fileOf(block, view) }]
  })
}

/** `all`: every row, or those that were read. `shown`: those on the page. `sort`: a column that the table does not have. */
export async function readRows(list: List<AnyView>, view: AnyView, part: Omit<Part, 'by'>) {
  const table = list.table(view)
  const wanted = list.sortKey === undefined ? undefined : view.own[list.sortKey]
  const isKnown = wanted !== undefined && sortsOf(table).includes(wanted)
  const by = isKnown ? wanted : table.order
  const notices = wanted === undefined || isKnown ? [] : [unknownValue(list.sortKey ?? '', wanted)]
  const read = await list.rows(view, { ...part, by })
  if ('total' in read)
    return { table, by, notices, all: read.rows as never[], shown: read.rows as never[], total: read.total }
  const text = list.findKey === undefined ? undefined : view.own[list.findKey]
  const found = text === undefined ? (read as never[]) : find(table, read as never[], text)
  const all = arrange(table, found, by)
  return {
    table,
    by,
    notices,
    all,
    shown: all.slice(part.offset, part.offset + part.limit),
    total: all.length,
  }
}

/** Where a page of a list begins, and how many rows it has. */
export const toPart = (place = '1', most = mostAtOnce) =>
  place === 'all' ? { offset: 0, limit: mostAtOnce } : { offset: (Number(place) - 1) * most, limit: most }

/** The rows on the page in a table, with the ways through them. `cut`: the parameter that shows all of them. */
export async function showList(id: string, list: List<AnyView>, view: AnyView, plotted: boolean) {
  const { most = mostAtOnce, pageKey, sortKey, findKey } = list
  const part = toPart(pageKey === undefined ? undefined : view.own[pageKey], most)
  const { table, by, shown, total, notices } = await readRows(list, view, part)
  const toSort = (key: string) => view.to({ [sortKey ?? '']: key, ...(pageKey && { [pageKey]: null }) }, id)
  const found =
    shown.length === 0 && list.empty !== undefined ? <p class="empty">{list.empty(view)}</p> : undefined
  const child = (
    <>
      {found ?? (
        <TableView
          context={view.context}
          table={table}
          rows={shown}
          plotted={plotted}
          sorting={sortKey === undefined ? undefined : { by, href: toSort }}
        />
      )}
      {showFoot(id, list, view, say(table.label), part.offset, shown.length, total)}
    </>
  )
  const find = findKey === undefined ? null : <FindForm view={view} name={findKey} page={pageKey} />
  // On paper a list has all rows that a page can show.
  const cut = pageKey !== undefined && shown.length < Math.min(total, mostAtOnce) ? [pageKey] : []
  return { child, find, notices, cut }
}

/** "1–10 of 102", and the ways on. Nothing under a list that is whole. */
function showFoot(
  id: string,
  { pageKey, all, most = mostAtOnce }: List<AnyView>,
  view: AnyView,
  label: string,
  offset: number,
  n: number,
  total: number,
) {
  if (n >= total || n === 0) return null
  const { count } = view.context.format
  const page = offset / most + 1
  const to = (place: string) => (pageKey === undefined ? null : view.to({ [pageKey]: place }, id))
  const position = { first: count(offset + 1), last: count(offset + n), total: count(total) }
  const ways = [
    { to: offset > 0 ? to(String(page - 1)) : null, rel: 'prev', name: t('Previous') },
    { to: offset + n < total ? to(String(page + 1)) : null, rel: 'next', name: t('Next') },
    { to: all?.(view) ?? (total <= mostAtOnce ? to('all') : null), rel: undefined, name: t('Show all') },
  ]
  return (
    <nav class="pages" aria-label={label}>
      <span>{t('{first}–{last} of {total}', position)}</span>
      {ways.map(({ to, rel, name }) =>
        to === null ? null : (
          <a class="pill" href={to} rel={rel}>
            {name}
          </a>
        ),
      )}
    </nav>
  )
}

function FindForm({ view, name, page }: { view: AnyView; name: string; page: string | undefined }) {
  const { context, own } = view
  const kept = ownValues(own).filter(([key]) => key !== name && key !== page)
  return (
    <form method="get" action={context.path} role="search" class="lines-find">
      <Hidden fields={[...allFilters(context), ...kept]} />
      <Field label={t('Find')} type="search" name={name} value={own[name] ?? ''} />
      <button type="submit" class="button">
        {t('Find')}
      </button>
    </form>
  )
}
