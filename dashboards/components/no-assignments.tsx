import { rich, t } from '../../language/translate.ts'

/** Where a scope is empty: why, and what to do. `path`: the page without filters. */
export function NoAssignments({ path, hasFilters }: { path: string; hasFilters: boolean }) {
  return (
    <p class="empty">
      {hasFilters ? (
        rich('No assignment matches these filters. <a>Clear them</a> to see everything.', {
          a: (text) => <a href={path}>{text}</a>,
        })
      ) : (
        <>
          {t('No assignment of anybody who is still here has arrived yet.')}{' '}
          <a href="/setup">{t('Is data arriving?')}</a>
        </>
      )}
    </p>
  )
}
