/** Saves, lists and deletes the reader's views. */
import type { Context, Hono } from 'hono'
import type { Problem } from '../../../language/problems.ts'
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
import { pageContext, readNames } from '../../http/page-request.ts'
import { formLimit, readForm, toLocalPath } from '../../http/read-form.ts'
import { filterWords } from '../../scope/filter-words.ts'

/** `options`: names for the filters, as far as the reader may see them. */
const viewsTable = (options: Overview['options'] | undefined): Table<AccessView> => ({
  label: 'Saved views',
  className: 'list-cards',
  columns: [
    column('text', 'name', 'View', ({ name }) => name, {
      href: (view) => viewHref(view),
    }),
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
  app.get('/views', (c) => show(c))

  app.post('/views', formLimit, async (c) => {
    const { login, role, via } = currentVisitor()
    if (via === 'token') return c.text('Views belong to people, not to tokens.', 403)
    const text = await readForm(c)
    if (text('do') === 'remove') {
      const view = await views.remove(login, text('id'))
      if (view === undefined) return c.redirect('/views', 303)
      const fields = { name: view.name, page: viewHref(view), back: '/views' }
      return routes.flash.done(c, '/views', {
        says: t('“{name}” deleted.', { name: view.name }),
        undo: { action: '/views', fields },
      })
    }
    const [name, page] = [text('name'), readPage(text('page'), role)]
    const problem =
      page === null
        ? ({ code: 'not_savable' } as const)
        : await views.save({ login, name, path: page.path, query: toSavedQuery(page.params) })
    if (problem !== undefined) return show(c, problem)
    const says = t('Saved as “{name}”.', { name })
    return routes.flash.done(c, toLocalPath(text('back') || text('page')), { says })
  })

  async function show(c: Context, problem?: Problem): Promise<Response> {
    if (problem !== undefined) c.status(400)
    const { login, via } = currentVisitor()
    const list = via === 'token' ? [] : await views.readFor(login)
    const context = { ...pageContext(c, routes), views: list }
    const shown = ownViews(context)
    const options = await readNames(
      routes,
      shown.map(({ query }) => new URLSearchParams(query)),
    )
    return c.html(
      <PlainPage
        context={context}
        title={t('Saved views')}
        lead={t('Choose Save on a page with filters. Only you see your views.')}
        problem={problem}
      >
        <ListPanel
          id="views"
          title={t('Saved views')}
          context={context}
          table={viewsTable(options)}
          rows={shown}
          empty={t('You have no saved views yet.')}
        />
      </PlainPage>,
    )
  }
}
