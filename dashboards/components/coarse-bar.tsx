/** The filters of those who get rounded numbers: one group, now or at the end of a past day. No control leads to a refusal. */
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { Option, Overview } from '../../reporting/metrics/overview.ts'
import { fewestPeople } from '../../reporting/audience.ts'
import { toAttributeKey, type AttributeKey } from '../../reporting/scope/filters.ts'
import type { PageContext } from '../page-context.ts'
import { filterChips, type Chip } from '../scope/filter-words.ts'
import { samePageHref } from '../scope/follow.ts'
import { href, ownValues, withChange } from '../scope/page-url.ts'
import { Chips, CompareMenu, FiltersEnd, Menu, MomentMenu, type FilterBarProps } from './filter-bar.tsx'
import { Hidden } from './field.tsx'
import { t } from '../../language/translate.ts'

type CoarseBarProps = FilterBarProps & {
  moment: NonNullable<FilterBarProps['moment']>
  /** A group that is large enough now may have been too small then. */
  hasSteps: boolean
}

export function coarseNotice(): string {
  return t(
    'Counts are rounded to five, so parts may miss their total. A team, a challenge or a value is shown if it and everybody else are at least {fewestPeople} people.',
    { fewestPeople },
  )
}

export function CoarseBar(props: CoarseBarProps) {
  const { context, options, exports, comparable = false, moment, hasSteps } = props
  const { params, path, format, settings } = context
  const kinds = toKinds(options)
  const groups = kinds.flatMap((each) => params.getAll(each.kind).map((id) => ({ ...each, id })))
  const everybody = toEverybody(params, options)
  const yesterday = addDays(toLocalDate(settings.timeZone, format.now), -1)
  return (
    <>
      <form class="filters" method="get" action={path} data-filters autocomplete="off" aria-label={t('Filters')}>
        <Hidden fields={[...groups.map(({ kind, id }) => [kind, id] as const), ...ownValues(context.keeps)]} />
        <MomentMenu context={context} moment={moment} hasSteps={hasSteps} latest={yesterday} />
        <Menu id="group" icon="people" label={toGroupLabel(groups[0])} active={groups.length > 0}>
          <a class="group-link" href={samePageHref(context, everybody)}>
            {t('Everybody')}
          </a>
          {kinds.map((each) => (
            <Groups context={context} {...each} everybody={everybody} />
          ))}
        </Menu>
        {comparable ? <CompareMenu compare={params.get('compare') ?? ''} hasPeriods={false} /> : null}
        <FiltersEnd exports={exports} />
      </form>
      <Chips
        context={context}
        options={options}
        chips={filterChips(params, options, format).map((chip) => withoutGroup(chip, options))}
      />
    </>
  )
}

type Kind = { kind: 'team' | 'challenge' | AttributeKey; title: string; options: Option[] }

function toKinds({ teams, challenges, attributes }: Overview['options']): Kind[] {
  return [
    { kind: 'team', title: t('Teams'), options: teams },
    { kind: 'challenge', title: t('Challenges'), options: challenges },
    ...attributes.map(({ name, values }) => ({ kind: toAttributeKey(name), title: name, options: values })),
  ]
}

function toEverybody(params: URLSearchParams, options: Overview['options']): URLSearchParams {
  return withChange(params, Object.fromEntries(toKinds(options).map(({ kind }) => [kind, null])))
}

type GroupsProps = Kind & { context: PageContext; everybody: URLSearchParams }

/** Links, because two choices would be two filters. Home has the numbers of one. */
function Groups({ context, kind, title, options, everybody }: GroupsProps) {
  const { params } = context
  const named = options.filter(({ id }) => id !== '')
  if (named.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {named.map(({ id, name }) => (
        <a
          class="group-link"
          href={href('/', withChange(everybody, { [kind]: id }))}
          aria-current={params.get(kind) === id ? 'true' : undefined}
        >
          {name === '' ? id : name}
        </a>
      ))}
    </fieldset>
  )
}

function toGroupLabel(group: (Kind & { id: string }) | undefined): string {
  if (group === undefined) return t('Everybody')
  return group.options.find(({ id }) => id === group.id)?.name || group.id
}

/** Without the moment, the group may be too small to be shown. */
function withoutGroup(chip: Chip, options: Overview['options']): Chip {
  return chip.key === 'as_of' ? { ...chip, rest: toEverybody(chip.rest, options) } : chip
}
