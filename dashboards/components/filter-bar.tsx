import type { Child } from 'hono/jsx'
import type { Option, Overview } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import { type Chip, filterChips, type OwnFilter, rangeName } from '../scope/filter-words.ts'
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
  /** Whether the page can compare with an earlier moment. */
  comparable: boolean
  /** The moment of the page. */
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
/** Keys with a field in the form; others travel as hidden fields, so that applying loses no filter. */
const drawnKeys: readonly PageKey[] = [
  ...(['range', 'as_of', 'compare', 'challenge', 'team', 'include_leavers'] as const),
  ...windowKeys,
]

/** The filters as a plain GET form. With the script every change applies at once; without it, the button does. On a phone they are behind one button. */
export function FilterBar(props: FilterBarProps) {
  const { context, options, comparable, own } = props
  const { params, path, idle = new URLSearchParams(), idleKeys } = context
  const scope = pageParams(params)
  const attributes = options.attributes.map(({ name, values }) => ({
    key: toAttributeKey(name),
    name,
    values,
  }))
  const drawn: string[] = [...drawnKeys, ...attributes.map(({ key }) => key)]
  const carried = [...scope].filter(([key]) => !drawn.includes(key))
  const isUsed = (key: PageKey) => !idleKeys.includes(key)
  const compare = scope.get('compare') ?? ''
  const chips = filterChips(params, options, context.format).filter(isNotSwitch(context))
  const n = chips.length + own.length
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
            {n === 0 ? t('Filters') : t('Filters ({n})', { n })}
          </span>
          <Icon name="chevron" />
        </button>
        <div id="filter-sheet" class="sheet" popover="auto">
          {isUsed('range') ? <PeriodMenu scope={scope} /> : null}
          {isUsed('as_of') ? <MomentMenu {...props} /> : null}
          {(['team', 'challenge'] as const).filter(isUsed).map((name) => (
            <Picker name={name} {...pickerWords[name]} options={options[`${name}s`]} scope={scope} />
          ))}
          {attributes.map(({ key, name, values }) => (
            <Picker
              name={key}
              attribute={name}
              {...pickerWords.attribute}
              options={values}
              scope={params}
              note={
                values.length < mostValues
                  ? undefined
                  : t('The {n} values of most people.', { n: values.length })
              }
            />
          ))}
          {comparable ? (
            <Menu id="compare" label={versusWords(compare)} isActive={compare !== ''} shortcut="x">
              <Choices legend="Compare with" name="compare" chosen={compare} of={comparisons()} />
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
      <Chips context={context} options={options} own={own} chips={chips} />
    </>
  )
}

const comparisons = (): Choice[] => [
  ['', t('4 weeks ago')],
  [lastMonth, t('Last calendar month')],
]

function PeriodMenu({ scope }: { scope: URLSearchParams }) {
  const range = scope.get('range') ?? ''
  const isOwn = range !== '' && !(rangePresets as readonly string[]).includes(range)
  const ranges = [...rangePresets, ...(isOwn ? [range] : [])]
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
      {windows.map(({ name, legend, labels }) => {
        const [from, to] = [`${name}_from`, `${name}_to`].map((key, at) => (
          <input type="date" name={key} value={scope.get(key) ?? ''} aria-label={t(labels[at] ?? legend)} />
        ))
        return (
          <fieldset class="window">
            <legend>{t(legend)}</legend>
            {from}
            <span aria-hidden="true">–</span>
            {to}
          </fieldset>
        )
      })}
    </Menu>
  )
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
  const xlsx = toXlsxHref(file)
  if (xlsx === file) return [['JSON', file]]
  const json: [string, string][] = file.startsWith('/api/')
    ? [['JSON', file.replace('format=csv', 'format=json')]]
    : []
  return [['CSV', file], ['XLSX', xlsx], ...json]
}

/** The switch between direct and all reports shows its own choice. */
function isNotSwitch({ visitor: { audience } }: PageContext) {
  const own = audience.people === 'all' ? undefined : audience.people.under[0]
  return ({ key, id, rest }: Chip) =>
    !(key === 'manager' && id === own) && !(key === 'manager_depth' && rest.get('manager') === own)
}

type ChipsProps = Pick<FilterBarProps, 'context' | 'options'> & {
  own?: FilterBarProps['own']
  /** Default: the filters of the page. */
  chips?: Chip[]
}

/** Active filters. Those that the page ignores are not shown: links carry them to a page that applies them. */
export function Chips(props: ChipsProps) {
  const { context, options, own = [], chips = filterChips(context.params, options, context.format) } = props
  const { path, params, keeps, idle = new URLSearchParams() } = context
  if (chips.length + own.length === 0) return <div id="chips" data-swap></div>
  const shows = withChange(new URLSearchParams(), {
    compare: params.get('compare'),
    period: params.get('period'),
  })
  const clear = href(path, shows, { ...keeps, ...Object.fromEntries(own.map(({ key }) => [key, null])) })
  return (
    <div id="chips" data-swap>
      <ul class="chips" aria-label={t('Active filters')}>
        {chips.map((chip) => (
          <ChipLink chip={chip} to={samePageHref(context, allFilters({ params: chip.rest, idle }))} />
        ))}
        {own.map((chip) => (
          <ChipLink chip={chip} to={chip.href} />
        ))}
        <li>
          <a class="clear" href={clear}>
            {t('Clear')}
          </a>
        </li>
      </ul>
    </div>
  )
}

function ChipLink({ chip: { label, value }, to }: { chip: Pick<Chip, 'label' | 'value'>; to: string }) {
  return (
    <li>
      <a class="chip" href={to}>
        <span class="chip-words">
          <span class="chip-label">{label}:</span> <bdi>{value}</bdi>
        </span>
        <Icon name="close" />
        <span class="visually-hidden">{t(', remove')}</span>
      </a>
    </li>
  )
}

/** A past day, and the way there and back: the whole page as of then. An instant from a link stays until a date is chosen. */
function MomentMenu({ context, moment }: Pick<FilterBarProps, 'context' | 'moment'>) {
  const { format, params } = context
  const asOf = params.get('as_of') ?? ''
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(asOf)
  const words = isDate ? format.dayYear(asOf) : format.instant(moment.as_of)
  const today = toLocalDate(moment.time_zone, format.now)
  const day = toLocalDate(moment.time_zone, Date.parse(moment.as_of))
  const after = addDays(day, 7)
  const step = (to: string, child: Child, key?: string) => {
    const there = withChange(allFilters(context), { as_of: to === today ? null : to })
    return (
      <a href={samePageHref(context, there)} data-key={key} class="pill">
        {child}
      </a>
    )
  }
  return (
    <Menu
      id="moment"
      label={asOf === '' ? t('As of now') : t('As of {moment}', { moment: words })}
      isActive={asOf !== ''}
    >
      <fieldset class="window">
        <legend>{t('As of the end of')}</legend>
        {asOf === '' || isDate ? (
          <input type="date" name="as_of" value={asOf} aria-label={t('As of the end of')} />
        ) : (
          <input type="text" name="as_of" value={asOf} aria-label={t('As of, an instant or a date')} />
        )}
      </fieldset>
      <div id="steps" data-swap>
        <nav class="steps" aria-label={t('Moment in time')}>
          {step(
            addDays(day, -7),
            <>
              <Icon name="back" />
              {t('View as of a week before')}
            </>,
            '[',
          )}
          {day >= today
            ? null
            : step(
                after < today ? after : today,
                <>
                  {t('View as of a week after')}
                  <Icon name="forward" />
                </>,
                ']',
              )}
          {day === today ? null : step(today, t('Now'))}
        </nav>
      </div>
    </Menu>
  )
}

const pickerWords = {
  team: { all: 'All teams', title: 'Team', many: '{n} teams', find: 'Find a team' },
  challenge: {
    all: 'All challenges',
    title: 'Challenge',
    many: '{n} challenges',
    find: 'Find a challenge',
  },
  attribute: { all: 'All values', title: 'Value', many: '{n} values', find: 'Find a value' },
} as const

type PickerProps = (typeof pickerWords)[keyof typeof pickerWords] & {
  name: string
  /** The name of an attribute of people. */
  attribute?: string
  options: Option[]
  scope: URLSearchParams
  /** A note on options that the list leaves out. */
  note?: string | undefined
}

function Picker({ name, attribute, all, title, many, find, options, scope, note }: PickerProps) {
  const chosen = scope.getAll(name).filter(Boolean)
  const named = (id = '') => options.find((option) => option.id === id)?.name || id
  const says = chosen.length > 1 ? t(many, { n: chosen.length }) : named(chosen[0]) || t(all)
  // A value without an option (an old team, a typing error) stays in force and visible.
  const strangers = chosen.filter((id) => !options.some((option) => option.id === id))
  const listed = [...strangers.map((id) => ({ id, name: id })), ...options].filter(({ id }) => id !== '')
  return (
    <Menu
      id={name.replace('.', '-')}
      label={attribute === undefined ? says : `${attribute}: ${says}`}
      isActive={chosen.length > 0}
    >
      {listed.length > 7 ? (
        <input
          type="search"
          class="needs-script"
          hidden
          placeholder={t(find)}
          aria-label={t(find)}
          data-picker-search
          autocomplete="off"
        />
      ) : null}
      <fieldset class="choices" data-picker-list>
        <legend class="visually-hidden">{attribute ?? t(title)}</legend>
        {listed.map(({ id, name: text }) => (
          <label class="check">
            <input type="checkbox" name={name} value={id} checked={chosen.includes(id)} />
            <bdi>{text || id}</bdi>
          </label>
        ))}
        {listed.length === 0 ? <p class="quiet">{t('Nothing found.')}</p> : null}
      </fieldset>
      <p class="quiet" data-picker-nothing role="status" hidden>
        {t('Nothing found.')}
      </p>
      {note === undefined ? null : <p class="quiet">{note}</p>}
    </Menu>
  )
}

type Choice = readonly [value: string, label: string]

type ChoicesProps = { legend: Message; name: string; chosen: string; of: readonly Choice[] }

/** One of several. */
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
