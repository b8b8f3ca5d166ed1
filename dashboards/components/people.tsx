import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { PageContext } from '../page-context.ts'
import { allFilters } from '../scope/follow.ts'
import { learnerHref, objectPageHref } from './learner-url.ts'
import { t } from '../../language/translate.ts'

/** A person's name, as a link to the page of the person. */
export function PersonLink({ context, id, name }: { context: PageContext; id: string | null; name: string | null }) {
  if (id === null || id === '') return <>{t('Nobody named')}</>
  return <a href={learnerHref(id, allFilters(context))}>{name || id}</a>
}

/** The direct managers of the person of an assignment. */
export function ManagerLinks({ context, row }: { context: PageContext; row: AssignmentRow }) {
  const named = row.manager_ids.map((id, index) => [id, row.managers[index] ?? ''] as const)
  return <ObjectLinks context={context} path="/managers" of={named} />
}

type ObjectsProps = {
  context: PageContext
  path: '/challenges' | '/teams' | '/managers'
  /** Ids with names. */
  of: readonly (readonly [id: string, name: string])[]
}

/** Teams, managers or challenges by name, each as a link to its page where there is one. */
export function ObjectLinks({ context, path, of }: ObjectsProps) {
  return (
    <>
      {of.map(([id, name], index) => {
        const link = objectPageHref(path, id, allFilters(context))
        return (
          <>
            {index === 0 ? null : <span class="sep">, </span>}
            {link === null ? name || id : <a href={link}>{name || id}</a>}
          </>
        )
      })}
    </>
  )
}
