import { t } from '../../language/translate.ts'
import { hasScope, pages, isCurrentPage } from '../navigation.ts'
import type { PageContext } from '../page-context.ts'
import { allFilters } from '../scope/follow.ts'
import { href, withChange } from '../scope/page-url.ts'
import { Segments } from './segments.tsx'

/** Whose numbers a narrowed page has. Managers can choose their direct reports alone. */
export function WhosePeople({ context }: { context: PageContext }) {
  const { visitor, sees, path } = context
  const isOfPeople = pages.some((page) => hasScope(page) && isCurrentPage(page, path))
  if (visitor === undefined || visitor.audience.people === 'all' || sees === undefined || !isOfPeople) return null
  const { under } = visitor.audience.people
  const filters = allFilters(context)
  const isDirect = filters.get('manager_depth') === '1' && filters.get('manager') === under[0]
  const to = (change: { manager: string | null; manager_depth: string | null }) =>
    href(path, withChange(filters, change))
  return (
    <div class="whose" id="whose" data-follow>
      <p>{t('Your {n, plural, one {# person} other {# people}}: only their work is counted here.', { n: sees })}</p>
      {under.length === 1 ? (
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
