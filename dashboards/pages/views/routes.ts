/** Saves, renames, offers and deletes views. */
import type { Problem } from '../../../language/problems.ts'
import type { Context, Hono } from 'hono'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { ownViews, isAboutPerson, readPage, toSavedQuery } from '../../components/saved-views.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { ViewChanged, Views } from '../../../services/saved-views/saved-views.ts'
import { toLocalPath, formLimit, readForm } from '../../http/read-form.ts'
import { readNames, pageContext } from '../../http/page-request.ts'
import { ViewsPage } from './page.tsx'

export function mountViews(app: Hono, routes: RouteContext, views: Views): void {
  app.get('/views', (c) => show(c))

  app.post('/views', formLimit, (c) =>
    change(c, async ({ text, login, role }) => {
      const page = readPage(text('page'), role)
      if (page === null) return { ok: false, problem: { code: 'not_savable' } }
      const query = toSavedQuery(page.params)
      const saved = await views.save({ login, name: text('name'), path: page.path, query })
      return saved.ok ? { ...saved, back: toLocalPath(text('page')) } : saved
    }),
  )

  app.post('/views/change', formLimit, (c) =>
    change(c, async ({ text, login, role }) => {
      const who = { login, isOwner: role === 'owner' }
      const id = text('id')
      switch (text('do')) {
        case 'rename':
          return views.change(id, who, { name: text('name') })
        case 'remove':
          return views.change(id, who, 'remove')
        case 'keep':
          return views.change(id, who, { isOffered: false })
        case 'offer': {
          const view = (await views.readFor(login)).find((each) => each.id === id)
          if (view !== undefined && isAboutPerson(view)) {
            return { ok: false, problem: { code: 'view_about_person' } }
          }
          return views.change(id, who, { isOffered: true })
        }
        default:
          return { ok: false, problem: { code: 'unknown_action' } }
      }
    }),
  )

  type Asked = {
    text: (name: string) => string
    login: string
    role: ReturnType<typeof currentVisitor>['role']
  }

  async function change(
    c: Context,
    act: (request: Asked) => Promise<ViewChanged & { back?: string }>,
  ): Promise<Response> {
    const { login, role, via } = currentVisitor()
    if (via === 'token') return c.text('Views belong to people, not to tokens.', 403)
    const done = await act({ text: await readForm(c), login, role })
    if (done.ok) return c.redirect(done.back ?? '/views', 303)
    c.status(400)
    return show(c, done.problem)
  }

  async function show(c: Context, problem?: Problem): Promise<Response> {
    const { login, via } = currentVisitor()
    const list = via === 'token' ? [] : await views.readFor(login)
    const context = { ...pageContext(c, routes), views: list }
    const shown = ownViews(context)
    const page = ViewsPage({
      context,
      views: shown,
      options: await readNames(
        routes,
        shown.map(({ query }) => new URLSearchParams(query)),
      ),
      ...(problem !== undefined && { problem }),
    })
    return c.html(page as unknown as string)
  }
}
