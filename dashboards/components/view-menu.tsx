import { longestViewName } from '../../services/saved-views/saved-views.ts'
import type { AccessView } from '../../services/access/access-store.ts'
import { isAllowed, toRight } from '../access/route-policy.ts'
import { anybody } from '../../services/access/visitor.ts'
import type { PageContext } from '../page-context.ts'
import { href } from '../scope/page-url.ts'
import { toShareable } from './shareable.ts'
import { isCoarseScope } from '../../reporting/coarse/check-scope.ts'
import { parsePage } from '../scope/parse-page.ts'
import { SignOut, shareHref } from './access.tsx'
import { Icon } from './icon.tsx'
import { t } from '../../language/translate.ts'

/** Those of the reader, and those offered to everybody, whose page opens for the reader. */
export function ownViews({ views = [], visitor = anybody, settings, format }: PageContext): AccessView[] {
  return views.filter(({ path, query }) => {
    const page = toShareable(path)
    if (page === undefined || !isAllowed(visitor.role, toRight(page.route))) return false
    if (visitor.audience.persons) return true
    const { scope, previous } = parsePage(new URLSearchParams(query), { now: format.now, settings, wholeDays: true })
    return isCoarseScope(scope, settings) && (previous === null || isCoarseScope(previous, settings))
  })
}

export function viewHref({ path, query }: Pick<AccessView, 'path' | 'query'>): string {
  return href(path, new URLSearchParams(query))
}

/** Saved views in the bar: one click opens the list, one more a view. `details`, so it needs no script. */
export function ViewMenu({ context }: { context: PageContext }) {
  if (context.views === undefined) return null
  const views = ownViews(context)
  const sharing = shareHref(context)
  const { login } = context.visitor ?? anybody
  return (
    <details class="menu menu-end view-menu" name="filter-menu" data-menu id="menu-views">
      <summary class="tool" title={t('Saved views and sharing')}>
        <Icon name="bookmark" />
        <span class="visually-hidden">{t('Saved views and sharing')}</span>
      </summary>
      <div class="panel">
        {views.length === 0 ? (
          <p class="quiet">{t('No saved views yet.')}</p>
        ) : (
          <ul class="links">
            {views.map((view) => (
              <li>
                <a href={viewHref(view)}>
                  {view.name}
                  {view.login === login ? null : <span class="view-offered"> {t('offered to all')}</span>}
                </a>
              </li>
            ))}
          </ul>
        )}
        <SaveForm context={context} />
        <p>
          <a href="/views">{t('Rename or delete views')}</a>
        </p>
        {sharing === null ? null : (
          <p>
            <a href={sharing}>{t('Share this page')}</a>
          </p>
        )}
        <SignOut context={context} />
      </div>
    </details>
  )
}

function SaveForm({ context: { path, address = path } }: { context: PageContext }) {
  if (toShareable(path) === undefined) return null
  return (
    <form method="post" action="/views" class="view-save">
      <input type="hidden" name="page" value={address} />
      <label>
        {t('Save this page as')}
        <input type="text" name="name" required maxlength={longestViewName} autocomplete="off" />
      </label>
      <button class="button">{t('Save')}</button>
    </form>
  )
}
