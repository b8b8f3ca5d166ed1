/** Saves, renames, offers and deletes views. */
import type { Context, Hono } from 'hono'
import { refuse, type Problem } from '../../../language/problems.ts'
import { t } from '../../../language/translate.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { ViewChanged, Views } from '../../../services/saved-views/saved-views.ts'
import type { OutcomeProps } from '../../page-context.ts'
import { isAboutPerson, ownViews, readPage, toSavedQuery, viewHref } from '../../components/saved-views.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext, readNames } from '../../http/page-request.ts'
import { formLimit, readForm, readVersion, statusOf, toLocalPath } from '../../http/read-form.ts'
import { ViewsPage } from './page.tsx'

type Asked = {
  text: (name: string) => string
  login: string
  role: ReturnType<typeof currentVisitor>['role']
}
/** `back`: where the reader was. */
type Done = Pick<OutcomeProps, 'says' | 'undo'> & { back?: string }
type Changed = ({ ok: true } & Done) | Extract<ViewChanged, { ok: false }>

export function mountViews(app: Hono, routes: RouteContext, views: Views): void {
  app.get('/views', (c) => show(c))
  app.post('/views', formLimit, (c) => change(c, save))
  app.post('/views/change', formLimit, (c) => change(c, changeOne))

  async function save({ text, login, role }: Asked): Promise<Changed> {
    const page = readPage(text('page'), role)
    if (page === null) return refuse('not_savable')
    const draft = { login, name: text('name'), path: page.path, query: toSavedQuery(page.params) }
    // A deleted view comes back as it was.
    const isOffered = text('offered') === 'true' && role === 'owner' && !isAboutPerson(draft)
    const back = toLocalPath(text('back') || text('page'))
    return report(views.save({ ...draft, isOffered }), { says: t('Saved as “{name}”.', draft), back })
  }

  async function changeOne({ text, login, role }: Asked): Promise<Changed> {
    const id = text('id')
    const view = (await views.readFor(login)).find((each) => each.id === id)
    if (view === undefined) return refuse('unknown_view')
    const { name, is_offered: offered } = view
    const apply = (to: Parameters<Views['change']>[2], done: Done) =>
      report(views.change(id, { login, isOwner: role === 'owner' }, to, readVersion(text('version'))), done)
    switch (text('do')) {
      case 'rename':
        return apply(
          { name: text('name') },
          { says: t('“{from}” is now “{to}”.', { from: name, to: text('name') }) },
        )
      case 'remove': {
        const fields = { name, page: viewHref(view), offered: String(offered), back: '/views' }
        return apply('remove', { says: t('“{name}” deleted.', { name }), undo: { action: '/views', fields } })
      }
      case 'keep':
        return apply({ isOffered: false }, { says: t('Only its owner sees “{name}” now.', { name }) })
      case 'offer':
        if (isAboutPerson(view)) return refuse('view_about_person')
        return apply({ isOffered: true }, { says: t('Everyone who signs in sees “{name}” now.', { name }) })
      default:
        return refuse('unknown_action')
    }
  }

  async function report(changed: Promise<ViewChanged>, done: Done): Promise<Changed> {
    const result = await changed
    return result.ok ? { ...result, ...done } : result
  }

  async function change(c: Context, act: (asked: Asked) => Promise<Changed>): Promise<Response> {
    const { login, role, via } = currentVisitor()
    if (via === 'token') return c.text('Views belong to people, not to tokens.', 403)
    const changed = await act({ text: await readForm(c), login, role })
    if (changed.ok) return routes.flash.done(c, changed.back ?? '/views', changed)
    c.status(statusOf(changed.problem))
    return show(c, changed.problem)
  }

  async function show(c: Context, problem?: Problem): Promise<Response> {
    const { login, via } = currentVisitor()
    const list = via === 'token' ? [] : await views.readFor(login)
    const context = { ...pageContext(c, routes), views: list }
    const shown = ownViews(context)
    const addresses = shown.map(({ query }) => new URLSearchParams(query))
    const options = await readNames(routes, addresses)
    return c.html(ViewsPage({ context, views: shown, options, problem }) as unknown as string)
  }
}
