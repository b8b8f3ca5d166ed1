import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { PageContext } from '../page-context.ts'
import { allFilters } from '../scope/follow.ts'
import { objectHref, type ObjectKind } from './group-url.ts'
import { isolateText, t } from '../../language/translate.ts'
import { column, type Column } from './table.tsx'
import {
  toPlatformHref,
  type PlatformIds,
  type PlatformLinks,
} from '../../services/config/values/platform-links.ts'

type PersonProps = { context: PageContext; id: string | null; name: string | null }

export function PersonLink({ context, id, name }: PersonProps) {
  if (id === null || id === '') return <bdi>{name || t('Unknown person')}</bdi>
  return (
    <a href={objectHref('learner', id, allFilters(context))} dir="auto">
      {name || id}
    </a>
  )
}

/** A line of all assignments without a challenge: why its numbers open nothing. */
export function UnknownChallenge() {
  return (
    <>
      {t('Unknown challenge')}{' '}
      <small class="quiet">{t('sent without an id, so no list has them alone')}</small>
    </>
  )
}

type Challenged = Pick<AssignmentRow, 'challenge_id' | 'challenge'>

export function challengeName({ challenge, challenge_id }: Challenged): string {
  return isolateText(challenge || challenge_id || '') || t('Unknown challenge')
}

export function ChallengeLink({ context, row }: { context: PageContext; row: Challenged }) {
  if (row.challenge_id === null) return <>{challengeName(row)}</>
  return <ObjectLinks context={context} kind="challenge" of={[[row.challenge_id, row.challenge ?? '']]} />
}

type ObjectsProps = {
  context: PageContext
  kind: ObjectKind
  of: readonly (readonly [id: string, name: string])[]
}

/** Teams, managers or challenges by name, each as a link to its page. */
export function ObjectLinks({ context, kind, of }: ObjectsProps) {
  return (
    <>
      {of.map(([id, name], index) => (
        <>
          {index === 0 ? null : <span class="sep">, </span>}
          {id === '' ? (
            <bdi>{name}</bdi>
          ) : (
            <a href={objectHref(kind, id, allFilters(context))} dir="auto">
              {name || id}
            </a>
          )}
        </>
      ))}
    </>
  )
}

type PlatformLinkProps = {
  context: PageContext
  to: keyof PlatformLinks
  ids: PlatformIds
  className?: string
}

/** Of a table whose rows are at the platform, too. */
export const platformColumn = <Row extends PlatformIds>(to: keyof PlatformLinks): Column<Row> =>
  column('text', 'platform', 'At the platform', () => null, {
    only: 'page',
    cell: (row, context) => <PlatformLink context={context} to={to} ids={row} />,
  })

/** A link to the same thing at the platform; nothing where the owner has set no address for it. */
export function PlatformLink({ context: { settings }, to, ids, className }: PlatformLinkProps) {
  const href = toPlatformHref(settings.platformLinks?.[to], ids)
  if (href === null) return null
  return (
    <a class={className} href={href} rel="noreferrer">
      {to === 'grading' ? t('Grade at the platform') : t('Open in the platform')}
    </a>
  )
}
