/** The part of the frame about the reader of the page. */
import { mayOpen } from '../access/route-policy.ts'
import type { PageContext } from '../page-context.ts'
import { rich, t } from '../../language/translate.ts'
import { hasScope, pages, isCurrentPage } from '../navigation.ts'
import { allFilters, samePageHref } from '../scope/follow.ts'
import { withChange } from '../scope/page-url.ts'
import { Segments } from './page-links.tsx'

export function canOpen({ visitor, views, notes }: PageContext, path: string): boolean {
  // Without a store for people's own things, these pages are not there.
  if (['/views', '/access', '/digest'].includes(path) && views === undefined) return false
  if (path === '/notes' && notes === undefined) return false
  return mayOpen(visitor.role, path)
}

export function AccessStrip({ context: { visitor } }: { context: PageContext }) {
  if (visitor.via === 'nobody') {
    return (
      <aside class="access-strip" aria-label={t('No sign-in')}>
        {rich(
          '<strong>No sign-in.</strong> Anyone with this address can see and do everything. To change that, set {setting}.',
          { strong: (text) => <strong>{text}</strong>, setting: <code>DASHBOARD_AUTH</code> },
        )}
      </aside>
    )
  }
  if (visitor.isUnmatched !== true) return null
  return (
    <aside class="access-strip" aria-label={t('No one reports to you')}>
      {t(
        'You are a manager here, but no one at the platform has your email. An owner can enter your id there.',
      )}
    </aside>
  )
}

/** Whose numbers a narrowed page has. Managers can choose their direct reports alone, where a filter by manager applies. */
export function WhosePeople({ context }: { context: PageContext }) {
  const { visitor, sees, path, params, idleKeys } = context
  const isOfPeople = pages.some((page) => hasScope(page) && isCurrentPage(page, path))
  if (visitor.audience.people === 'all' || sees === undefined || !isOfPeople) return null
  const { under } = visitor.audience.people
  const isDirect = params.get('manager_depth') === '1' && params.get('manager') === under[0]
  const to = (change: { manager: string | null; manager_depth: string | null }) =>
    samePageHref(context, withChange(allFilters(context), change))
  return (
    <div class="whose" id="whose" data-follow>
      <p>
        {t('Your {n, plural, one {# person} other {# people}}: only their work is counted here.', {
          n: sees,
        })}
      </p>
      {under.length === 1 && !idleKeys.includes('manager') ? (
        <Segments
          label={t('Your people')}
          links={[
            {
              name: t('Direct reports'),
              href: to({ manager: under[0] ?? '', manager_depth: '1' }),
              isShown: isDirect,
            },
            { name: t('All reports'), href: to({ manager: null, manager_depth: null }), isShown: !isDirect },
          ]}
        />
      ) : null}
    </div>
  )
}
