import type { PageContext } from '../page-context.ts'
import { canOpen } from './access.tsx'
import { rich, t } from '../../language/translate.ts'

/** Where a scope is empty: why, and what to do. */
export function NoAssignments({ context, hasFilters }: { context: PageContext; hasFilters: boolean }) {
  return (
    <p class="empty">
      {hasFilters ? (
        rich('No assignment matches these filters. <a>Clear them</a> to see everything.', {
          a: (text) => <a href={context.path}>{text}</a>,
        })
      ) : (
        <>
          {t('No assignment of anybody who is still here has arrived yet.')} <SetupLink context={context} />
        </>
      )}
    </p>
  )
}

/** The likely cause of having no numbers, for those who can look. */
export function SetupLink({ context }: { context: PageContext }) {
  return canOpen(context, '/setup') ? <a href="/setup">{t('Is data arriving?')}</a> : null
}
