import type { Child } from 'hono/jsx'
import type { Option, Overview } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import { filterChips, type OwnFilter, rangeName } from '../scope/filter-words.ts'
import { allFilters, lastingHref, samePageHref } from '../scope/follow.ts'
import { href, ownValues, type PageKey, pageParams, withChange } from '../scope/page-url.ts'
import { lastMonth, rangePresets } from '../scope/parse-page.ts'
import { longestViewName } from '../../services/saved-views/saved-views.ts'
import { mostValues } from '../../reporting/statements/people.ts'
import { toAttributeKey } from '../../reporting/scope/filters.ts'
import { canSave } from './saved-views.ts'
import { Menu } from './behind.tsx'
import { Field, Hidden } from './field.tsx'
import { versusWords } from './figures/comparisons.ts'
import { toXlsxHref } from './figure.tsx'
import { Icon } from './icon.tsx'
import { capital } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'

type FilterBarProps = {
  context: PageContext
  options: Overview['options']
  exports: { name: string; href: string }[]
  /** The page with all rows, if it has more than it shows. Print then opens it. */
  print: string | undefined
  comparable: boolean
  moment: Pick<MetricsAnswer, 'as_of' | 'time_zone'>
  /** Filters that only this page has, with the link that takes each away. */
  own: readonly (Pick<OwnFilter, 'key' | 'label' | 'value'> & { href: string })[]
}

/** Of two dates each: NAME_from and NAME_to. */
const windows = [
  { name: 'assigned', legend: 'Assigned between', labels: ['Assigned from', 'Assigned to'] },
  { name: 'completed', legend: 'Completed between', labels: ['Completed from', 'Completed to'] },
  { name: 'due', legend: 'Due between', labels: ['Due from', 'Due to'] },
] as const
const windowKeys = windows.flatMap(({ name }) => [`${name}_from`, `${name}_to`] as const)

/** The filters as a plain GET form. With the script every change applies at once; without it, the button does. On a phone they are behind one button. */
export function FilterBar(props: FilterBarProps) {
  const { context, options, comparable } = props
  const { params, path, idle = new URLSearchParams(), idleKeys } = context
  const scope = pageParams(params)
  const isUsed = (key: PageKey) => !idleKeys.includes(key)
  const pickers = [
    { name: 'team', title: t('Team'), all: t('All teams'), options: options.teams },
    { name: 'challenge', title: t('Challenge'), all: t('All challenges'), options: options.challenges },
    ...options.attributes.map(({ name, values }) => ({
      name: toAttributeKey(name),
      title: name,
      all: `${name}: ${t('All values')}`,
      options: values,
      ...(values.length >= mostValues && {
        note: t('The {n} values of most people.', { n: values.length }),
      }),
    })),
  ].filter(({ name }) => isUsed(name as PageKey))
  // Those without a field travel as hidden fields, so that applying loses no filter.
  const drawn = ['range', 'as_of', 'compare', 'challenge', 'team', 'include_leavers', ...windowKeys]
  const carried = [...scope].filter(
    ([key]) => !drawn.includes(key) && !pickers.some(({ name }) => name === key),
  )
  const compare = scope.get('compare') ?? ''
  const chips = toChips(props)
  return (
    <>
      <form
        class="filters"
        method="get"
        action={path}
        data-filters
        autocomplete="off"
        aria-label={t('Filters')}
      >
        <Hidden fields={[...carried, ...idle, ...ownValues(context.keeps)]} />
        <button type="button" class="pill phone" popovertarget="filter-sheet">
          <span id="filter-count" data-swap>
            {chips.length === 0 ? t('Filters') : t('Filters ({n})', { n: chips.length })}
          </span>
          <Icon name="chevron" />
        </button>
        <div id="filter-sheet" class="sheet" popover="auto">
          {isUsed('range') ? <PeriodMenu scope={scope} /> : null}
          {isUsed('as_of') ? <MomentMenu {...props} /> : null}
          {pickers.map((picker) => (
            <Picker {...picker} chosen={params.getAll(picker.name).filter(Boolean)} />
          ))}
          {comparable ? (
            <Menu id="compare" label={versusWords(compare)} isActive={compare !== ''} shortcut="x">
              <Choices
                legend="Compare with"
                name="compare"
                chosen={compare}
                of={[
                  ['', t('4 weeks ago')],
                  [lastMonth, t('Last calendar month')],
                ]}
              />
            </Menu>
          ) : null}
          <label class="pill switch">
            <input
              type="checkbox"
              name="include_leavers"
              value="true"
              checked={params.get('include_leavers') === 'true'}
            />
            {t('People who have left')}
          </label>
          <button type="submit" class="button apply">
            {t('Apply')}
          </button>
          <button type="button" class="button phone" popovertarget="filter-sheet" popovertargetaction="hide">
            {t('Close')}
          </button>
        </div>
        <FiltersEnd {...props} />
      </form>
      <Chips {...props} />
    </>
  )
}

function PeriodMenu({ scope }: { scope: URLSearchParams }) {
  const range = scope.get('range') ?? ''
  const ranges = [...new Set([...rangePresets, range])].filter(Boolean)
  const hasWindow = windowKeys.some((key) => scope.has(key))
  const label = range !== '' ? capital(rangeName(range)) : hasWindow ? t('Chosen dates') : t('Any time')
  return (
    <Menu id="period" label={label} isActive={range !== '' || hasWindow}>
      <Choices
        legend="Assigned"
        name="range"
        chosen={range}
        of={[['', t('Any time')], ...ranges.map((each): Choice => [each, capital(rangeName(each))])]}
      />
      {windows.map(({ name, legend, labels: [from, to] }) => (
        <fieldset class="window">
          <legend>{t(legend)}</legend>
          <DateField name={`${name}_from`} value={scope.get(`${name}_from`)} label={t(from)} />
          <span aria-hidden="true">–</span>
          <DateField name={`${name}_to`} value={scope.get(`${name}_to`)} label={t(to)} />
        </fieldset>
      ))}
    </Menu>
  )
}

function DateField({ name, value, label }: { name: string; value: string | null; label: string }) {
  return <input type="date" name={name} value={value ?? ''} aria-label={label} />
}

/** What to do with the page: save, send, files, paper. On a phone they are behind one button. */
function FiltersEnd({ context, exports, print }: FilterBarProps) {
  return (
    <>
      <button type="button" class="pill phone" popovertarget="page-sheet">
        <Icon name="more" />
        <span class="visually-hidden">{t('Save, send, export or print')}</span>
      </button>
      <div id="page-sheet" class="sheet filters-end" popover="auto">
        {canSave(context) ? (
          <Menu id="save" label={t('Save')} isAtEnd>
            <Field
              label={t('Save this page as')}
              name="name"
              form="save-view"
              required
              maxlength={longestViewName}
              autocomplete="off"
            />
            <button class="button primary" form="save-view">
              {t('Save')}
            </button>
          </Menu>
        ) : null}
        <span id="copy-link" data-follow>
          <button type="button" class="pill needs-script" data-copy-link={lastingHref(context)} hidden>
            {t('Copy link')}
          </button>
        </span>
        {exports.length === 0 ? null : (
          <Menu id="export" label={t('Export')} isAtEnd>
            <ul class="links" id="export-links" data-swap>
              {exports.map(({ name, href }) => (
                <li class="file">
                  <span>{name}</span>
                  {filesOf(href).map(([format, file]) => (
                    <a href={file} download>
                      <span class="visually-hidden">{name}: </span>
                      {format}
                    </a>
                  ))}
                </li>
              ))}
            </ul>
          </Menu>
        )}
        <span id="print" data-swap>
          {print === undefined ? (
            <button type="button" class="pill needs-script" data-print hidden>
              {t('Print')}
            </button>
          ) : (
            <a class="pill needs-script" href={`${print}#print`} hidden>
              {t('Print')}
            </a>
          )}
        </span>
      </div>
    </>
  )
}

/** A table is there as CSV and as XLSX, and a list of the API as JSON. */
function filesOf(file: string): [string, string][] {
  const files: [string, string][] = [
    ['CSV', file],
    ['XLSX', toXlsxHref(file)],
    ['JSON', file.replace('format=csv', 'format=json')],
  ]
  if (toXlsxHref(file) === file) return files.slice(2)
  return file.startsWith('/api/') ? files : files.slice(0, 2)
}

type ChipsProps = Pick<FilterBarProps, 'context' | 'options'> & { own?: FilterBarProps['own'] }

/** Active filters. The switch between direct and all reports shows its own choice. */
function toChips({
  context,
  options,
  own = [],
}: ChipsProps): { label: string; value: string; href: string }[] {
  const { params, idle, visitor, format } = context
  const { people } = visitor.audience
  const manager = people === 'all' ? undefined : people.under[0]
  const chips = filterChips(params, options, format).filter(({ key, id, rest }) =>
    key === 'manager' ? id !== manager : key !== 'manager_depth' || rest.get('manager') !== manager,
  )
  const toHref = (rest: URLSearchParams) =>
    samePageHref(context, allFilters({ params: rest, ...(idle && { idle }) }))
  return [...chips.map(({ label, value, rest }) => ({ label, value, href: toHref(rest) })), ...own]
}

/** Those that the page ignores are not shown: links carry them to a page that applies them. */
export function Chips(props: ChipsProps) {
  const { path, params, keeps } = props.context
  const { own = [] } = props
  const chips = toChips(props)
  const [compare, period] = [params.get('compare'), params.get('period')]
  const shows = withChange(new URLSearchParams(), { compare, period })
  const clear = href(path, shows, { ...keeps, ...Object.fromEntries(own.map(({ key }) => [key, null])) })
  return (
    <div id="chips" data-swap>
      {chips.length === 0 ? null : (
        <ul class="chips" aria-label={t('Active filters')}>
          {chips.map((chip) => (
            <li>
              <a class="chip" href={chip.href}>
                <span class="chip-words">
                  <span class="chip-label">{chip.label}:</span> <bdi>{chip.value}</bdi>
                </span>
                <Icon name="close" />
                <span class="visually-hidden">{t(', remove')}</span>
              </a>
            </li>
          ))}
          <li>
            <a class="clear" href={clear}>
              {t('Clear')}
            </a>
          </li>
        </ul>
      )}
    </div>
  )
}

/** A past day, and the way there and back: the whole page as of then. An instant from a link stays until a date is chosen. */
function MomentMenu({ context, moment }: Pick<FilterBarProps, 'context' | 'moment'>) {
  const { format, params } = context
  const asOf = params.get('as_of') ?? ''
  const isDate = /^(\d{4}-\d{2}-\d{2})?$/.test(asOf)
  const today = toLocalDate(moment.time_zone, format.now)
  const day = toLocalDate(moment.time_zone, Date.parse(moment.as_of))
  const after = addDays(day, 7)
  const step = (to: string, child: Child, key?: string) => {
    const there = withChange(allFilters(context), { as_of: to === today ? null : to })
    return (
      <a href={samePageHref(context, there)} data-key={key} class="pill">
        {key === '[' ? <Icon name="back" /> : null}
        {child}
        {key === ']' ? <Icon name="forward" /> : null}
      </a>
    )
  }
  return (
    <Menu
      id="moment"
      label={
        asOf === ''
          ? t('As of now')
          : t('As of {moment}', { moment: isDate ? format.dayYear(asOf) : format.instant(moment.as_of) })
      }
      isActive={asOf !== ''}
    >
      <fieldset class="window">
        <legend>{t('As of the end of')}</legend>
        {isDate ? (
          <DateField name="as_of" value={asOf} label={t('As of the end of')} />
        ) : (
          <input type="text" name="as_of" value={asOf} aria-label={t('As of, an instant or a date')} />
        )}
      </fieldset>
      <div id="steps" data-swap>
        <nav class="steps" aria-label={t('Moment in time')}>
          {step(addDays(day, -7), t('View as of a week before'), '[')}
          {day >= today ? null : step(after < today ? after : today, t('View as of a week after'), ']')}
          {day === today ? null : step(today, t('Now'))}
        </nav>
      </div>
    </Menu>
  )
}

type PickerProps = {
  name: string
  title: string
  all: string
  options: Option[]
  chosen: string[]
  note?: string
}

function Picker({ name, title, all, options, chosen, note }: PickerProps) {
  const [first] = chosen
  const named = options.find(({ id }) => id === first)?.name || first
  const label = chosen.length > 1 ? `${title}: ${chosen.length}` : (named ?? all)
  // A value without an option (an old team, a typing error) stays in force and visible.
  const strangers = chosen.filter((id) => !options.some((option) => option.id === id))
  const listed = [...strangers.map((id) => ({ id, name: id })), ...options].filter(({ id }) => id !== '')
  return (
    <Menu id={name.replace('.', '-')} label={label} isActive={chosen.length > 0}>
      {listed.length > 7 ? (
        <input
          type="search"
          class="needs-script"
          hidden
          placeholder={t('Find')}
          aria-label={`${t('Find')}: ${title}`}
          data-picker-search
          autocomplete="off"
        />
      ) : null}
      <fieldset class="choices" data-picker-list>
        <legend class="visually-hidden">{title}</legend>
        {listed.map(({ id, name: text }) => (
          <label class="check">
            <input type="checkbox" name={name} value={id} checked={chosen.includes(id)} />
            <bdi>{text || id}</bdi>
          </label>
        ))}
      </fieldset>
      <p class="quiet" data-picker-nothing role="status" hidden={listed.length > 0}>
        {t('Nothing found.')}
      </p>
      {note === undefined ? null : <p class="quiet">{note}</p>}
    </Menu>
  )
}

type Choice = readonly [value: string, label: string]

type ChoicesProps = { legend: Message; name: string; chosen: string; of: readonly Choice[] }

function Choices({ legend, name, chosen, of }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{t(legend as 'Assigned')}</legend>
      {of.map(([value, label]) => (
        <label class="check">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
