/** The filters of those who get rounded numbers: one team or one challenge, now or at the end of a past day. No control leads to a refusal. */
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { Option, Overview } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import { filterChips, type Chip } from '../scope/filter-words.ts'
import { href, withChange } from '../scope/page-url.ts'
import { Chips, CompareMenu, FiltersEnd, Menu, MomentMenu, type FilterBarProps } from './filter-bar.tsx'
import { t } from '../../language/translate.ts'

type CoarseBarProps = FilterBarProps & {
  moment: NonNullable<FilterBarProps['moment']>
  /** A group that is large enough now may have been too small then. */
  hasSteps: boolean
}

export function CoarseBar({ context, options, exports, moment, hasSteps }: CoarseBarProps) {
  const { params, path, format, settings } = context
  const groups = (['team', 'challenge'] as const).flatMap((kind) =>
    params.getAll(kind).map((id) => [kind, id] as const),
  )
  const yesterday = addDays(toLocalDate(settings.timeZone, format.now), -1)
  return (
    <>
      <form class="filters" method="get" action={path} data-filters aria-label={t('Filters')}>
        {groups.map(([kind, id]) => (
          <input type="hidden" name={kind} value={id} />
        ))}
        <MomentMenu context={context} moment={moment} hasSteps={hasSteps} latest={yesterday} />
        <Menu id="group" icon="people" label={toGroupLabel(groups[0], options)} active={groups.length > 0}>
          <a class="group-link" href={href(path, withChange(params, { team: null, challenge: null }))}>
            {t('Everybody')}
          </a>
          <Groups context={context} kind="team" title={t('Teams')} options={options.teams} />
          <Groups context={context} kind="challenge" title={t('Challenges')} options={options.challenges} />
        </Menu>
        <CompareMenu compare={params.get('compare') ?? ''} hasPeriods={false} />
        <button type="submit" class="button apply">
          {t('Apply')}
        </button>
        <FiltersEnd exports={exports} />
      </form>
      <Chips context={context} options={options} chips={filterChips(params, options, format).map(withoutGroup)} />
    </>
  )
}

type Kind = 'team' | 'challenge'

/** Links, because two choices would be two filters. */
function Groups({
  context: { path, params },
  kind,
  title,
  options,
}: {
  context: PageContext
  kind: Kind
  title: string
  options: Option[]
}) {
  const named = options.filter(({ id }) => id !== '')
  if (named.length === 0) return null
  return (
    <fieldset class="choices tall">
      <legend>{title}</legend>
      {named.map(({ id, name }) => (
        <a
          class="group-link"
          href={href(path, withChange(params, { team: null, challenge: null, [kind]: id }))}
          aria-current={params.get(kind) === id ? 'true' : undefined}
        >
          {name === '' ? id : name}
        </a>
      ))}
    </fieldset>
  )
}

function toGroupLabel(group: readonly [Kind, string] | undefined, options: Overview['options']): string {
  if (group === undefined) return t('Everybody')
  const [kind, id] = group
  const known = kind === 'team' ? options.teams : options.challenges
  return known.find((option) => option.id === id)?.name || id
}

/** Without the moment, the group may be too small to be shown. */
function withoutGroup(chip: Chip): Chip {
  return chip.key === 'as_of' ? { ...chip, rest: withChange(chip.rest, { team: null, challenge: null }) } : chip
}
