/** Saves, lists and deletes the reader's views. */
import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { AccessView, Views } from '../../../services/saved-views/saved-views.ts'
import { Act, Hidden } from '../../components/field.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { ownViews, readPage, toPageName, toSavedQuery, viewHref } from '../../components/saved-views.ts'
import { ListPanel } from '../../components/section.tsx'
import { column, type Table } from '../../components/table.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { mountForms } from '../../http/mount-forms.ts'
import { pageContext, readNames } from '../../http/page-request.ts'
import { toLocalPath, type Sent } from '../../http/read-form.ts'
import { filterWords } from '../../scope/filter-words.ts'

/** `options`: names for the filters, as far as the reader may see them. */
const viewsTable = (options: Overview['options'] | undefined): Table<AccessView> => ({
  label: 'Saved views',
  className: 'list-cards',
  columns: [
    column('text', 'name', 'View', { href: (view) => viewHref(view) }),
    column('text', 'filters', 'Shows', ({ path }) => path, {
      cell: ({ path, query }, { format }) =>
        `${toPageName(path)}: ${filterWords(new URLSearchParams(query), format, options)}`,
    }),
    column('text', 'change', 'Change', () => '', {
      cell: ({ id, name }) => (
        <form method="post" action="/views">
          <Hidden fields={[['id', id]]} />
          <Act does="remove" says={t('Delete')} of={name} />
        </form>
      ),
    }),
  ],
})

export function mountViews(app: Hono, routes: RouteContext, views: Views): void {
  async function show(c: Context): Promise<Response> {
    const { login, via } = currentVisitor()
    const list = via === 'token' ? [] : await views.readFor(login)
    const context = { ...pageContext(c, routes), views: list }
    const shown = ownViews(context)
    const addresses = shown.map(({ query }) => new URLSearchParams(query))
    return c.html(
      <PlainPage
        context={context}
        title={t('Saved views')}
        lead={t('Choose Save on a page with filters. Only you see your views.')}
      >
        <ListPanel
          id="views"
          context={context}
          table={viewsTable(await readNames(routes, addresses))}
          rows={shown}
          empty={t('You have no saved views yet.')}
        />
      </PlainPage>,
    )
  }

  async function change(sent: Sent, c: Context) {
    const { login, role, via } = currentVisitor()
    if (via === 'token') return c.text('Views belong to people, not to tokens.', 403)
    if (sent('do') === 'remove') {
      const view = await views.remove(login, sent('id'))
      if (view === undefined) return c.redirect('/views', 303)
      const { name } = view
      const undo = { action: '/views', fields: { name, page: viewHref(view), back: '/views' } }
      return { says: t('“{name}” deleted.', { name }), undo }
    }
    const [name, page] = [sent('name'), readPage(sent('page'), role)]
    if (page === null) return { problem: { code: 'not_savable' } as const }
    const problem = await views.save({ login, name, path: page.path, query: toSavedQuery(page.params) })
    const to = toLocalPath(sent('back') || sent('page'))
    return problem === undefined ? { says: t('Saved as “{name}”.', { name }), to } : { problem }
  }

  mountForms(app, routes, { path: '/views', show, forms: { '/views': change } })
}
