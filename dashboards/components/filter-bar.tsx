import type { Child } from 'hono/jsx'
import type { Option, Overview } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { type Chip, filterChips, type OwnFilter, rangeName } from '../scope/filter-words.ts'
import { allFilters, lastingHref, samePageHref } from '../scope/follow.ts'
import { href, ownValues, type PageKey, pageParams, withChange } from '../scope/page-url.ts'
import { lastMonth, rangePresets } from '../scope/parse-page.ts'
import { longestViewName } from '../../services/saved-views/saved-views.ts'
import { mostValues } from '../../reporting/statements/people.ts'
import { toAttribute, toAttributeKey, type AttributeKey } from '../../reporting/scope/filters.ts'
import { canSave } from './saved-views.ts'
import { Field, Hidden } from './field.tsx'
import { versusWords } from './figures/comparisons.ts'
import { toXlsxHref } from './figure.tsx'
import { Icon } from './icon.tsx'
import { WeekSteps } from './week-steps.tsx'
import { capital } from '../../language/format.ts'
import { isolateText, t, type Message } from '../../language/translate.ts'

export type FilterBarProps = {
  context: PageContext
  options: Overview['options']
  exports: { name: string; href: string }[]
  /** The page with all rows, if it has more than it shows. Print then opens it. */
  print?: string | undefined
  /** Whether the page can compare with an earlier moment. Default: no. */
  comparable?: boolean
  /** The moment of the page; left out where it has two, or only now. */
  moment?: Pick<MetricsAnswer, 'as_of' | 'time_zone'>
  /** Filters that only this page has, with the link that takes each away. Default: none. */
  own?: readonly OwnChip[]
}

type OwnChip = Pick<OwnFilter, 'key' | 'label' | 'value'> & { href: string }

const windows = [
  {
    legend: 'Assigned between',
    from: ['assigned_from', 'Assigned from'],
    to: ['assigned_to', 'Assigned to'],
  },
  {
    legend: 'Completed between',
    from: ['completed_from', 'Completed from'],
    to: ['completed_to', 'Completed to'],
  },
  { legend: 'Due between', from: ['due_from', 'Due from'], to: ['due_to', 'Due to'] },
] as const

/** Keys with a field in the form; others travel as hidden fields, so that applying loses no filter. */
const drawnKeys: readonly PageKey[] = [
  ...(['range', 'as_of', 'compare', 'challenge', 'team', 'include_leavers'] as const),
  ...windows.flatMap(({ from, to }) => [from[0], to[0]]),
]

/** The filters as a plain GET form. With the script every change applies at once; without it, the button does. */
export function FilterBar(props: FilterBarProps) {
  const { context, options, exports, print, comparable = false, moment, own = [] } = props
  const { params, path, idle = new URLSearchParams(), idleKeys } = context
  const scope = pageParams(params)
  const drawn: string[] = [...drawnKeys, ...drawnAttributes(options)]
  const carried = [...scope].filter(([key]) => !drawn.includes(key))
  const range = scope.get('range') ?? ''
  const compare = scope.get('compare') ?? ''
  const chips = filterChips(params, options, context.format).filter(isNotSwitch(context))
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
        <FilterSheet n={chips.length + own.length}>
          {idleKeys.includes('range') ? null : (
            <Menu id="period" label={periodLabel(scope)} active={hasPeriod(scope)}>
              <fieldset class="choices">
                <legend>{t('Assigned')}</legend>
                <Choice name="range" value="" checked={range === ''} label={t('Any time')} />
                {rangePresets.map((preset) => (
                  <Choice
                    name="range"
                    value={preset}
                    checked={range === preset}
                    label={capital(rangeName(preset))}
                  />
                ))}
                {range !== '' && !(rangePresets as readonly string[]).includes(range) ? (
                  <Choice name="range" value={range} checked label={capital(rangeName(range))} />
                ) : null}
              </fieldset>
              {windows.map(({ legend, from, to }) => (
                <fieldset class="window">
                  <legend>{t(legend)}</legend>
                  <input
                    type="date"
                    name={from[0]}
                    value={scope.get(from[0]) ?? ''}
                    aria-label={t(from[1])}
                  />
                  <span aria-hidden="true">–</span>
                  <input type="date" name={to[0]} value={scope.get(to[0]) ?? ''} aria-label={t(to[1])} />
                </fieldset>
              ))}
            </Menu>
          )}
          {moment === undefined || idleKeys.includes('as_of') ? null : (
            <MomentMenu context={context} moment={moment} />
          )}
          {idleKeys.includes('team') ? null : (
            <Picker name="team" all={t('All teams')} options={options.teams} chosen={scope.getAll('team')} />
          )}
          {idleKeys.includes('challenge') ? null : (
            <Picker
              name="challenge"
              all={t('All challenges')}
              options={options.challenges}
              chosen={scope.getAll('challenge')}
            />
          )}
          <AttributePickers options={options} params={scope} />
          {comparable ? <CompareMenu compare={compare} /> : null}
          <LeaversSwitch params={scope} />
        </FilterSheet>
        <FiltersEnd context={context} exports={exports} print={print} />
      </form>
      <Chips context={context} options={options} own={own} chips={chips} />
    </>
  )
}

/** The choices of a bar: in a row, or behind one button on a phone. `n`: how many are active. */
function FilterSheet({ n, children }: { n: number; children?: Child }) {
  return (
    <>
      <button type="button" class="pill phone" popovertarget="filter-sheet">
        <span id="filter-count" data-swap>
          {n === 0 ? t('Filters') : t('Filters ({n})', { n })}
        </span>
        <Icon name="chevron" />
      </button>
      <div id="filter-sheet" class="sheet" popover="auto">
        {children}
        <button type="submit" class="button apply">
          {t('Apply')}
        </button>
        <button type="button" class="button phone" popovertarget="filter-sheet" popovertargetaction="hide">
          {t('Close')}
        </button>
      </div>
    </>
  )
}

function LeaversSwitch({ params }: { params: URLSearchParams }) {
  return (
    <label class="pill switch">
      <input
        type="checkbox"
        name="include_leavers"
        value="true"
        checked={params.get('include_leavers') === 'true'}
      />
      {t('People who have left')}
    </label>
  )
}

type FiltersEndProps = { context: PageContext } & Partial<Pick<FilterBarProps, 'exports' | 'print'>>

/** What to do with the page: save, send, files, paper. On a phone they are behind one button. */
function FiltersEnd({ context, exports, print }: FiltersEndProps) {
  return (
    <>
      <button type="button" class="pill phone" popovertarget="page-sheet">
        <Icon name="more" />
        <span class="visually-hidden">{t('Save, send, export or print')}</span>
      </button>
      <div id="page-sheet" class="sheet filters-end" popover="auto">
        {canSave(context) ? (
          <Menu id="save" label={t('Save')} end>
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
        {exports === undefined || exports.length === 0 ? null : (
          <Menu id="export" label={t('Export')} end>
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

const comparisons: [value: string, label: Message][] = [
  ['', '4 weeks ago'],
  [lastMonth, 'Last calendar month'],
]

function CompareMenu({ compare }: { compare: string }) {
  return (
    <Menu id="compare" label={versusWords(compare)} active={compare !== ''} shortcut="x">
      <fieldset class="choices">
        <legend>{t('Compare with')}</legend>
        {comparisons.map(([value, label]) => (
          <Choice
            name="compare"
            value={value}
            checked={compare === value}
            label={t(label as '4 weeks ago')}
          />
        ))}
      </fieldset>
    </Menu>
  )
}

type ChipsProps = Pick<FilterBarProps, 'context' | 'options' | 'own'> & {
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

/** A past day, and the way there and back. */
function MomentMenu({ context, moment }: MomentMenuProps) {
  const asOf = context.params.get('as_of') ?? ''
  const words = /^\d{4}-\d{2}-\d{2}$/.test(asOf)
    ? context.format.dayYear(asOf)
    : context.format.instant(moment.as_of)
  return (
    <Menu
      id="moment"
      label={asOf === '' ? t('As of now') : t('As of {moment}', { moment: words })}
      active={asOf !== ''}
    >
      <fieldset class="window">
        <legend>{t('As of the end of')}</legend>
        <AsOfField value={asOf} />
      </fieldset>
      <div id="steps" data-swap>
        <WeekSteps context={context} asOf={moment.as_of} timeZone={moment.time_zone} />
      </div>
    </Menu>
  )
}

type MomentMenuProps = {
  context: PageContext
  moment: NonNullable<FilterBarProps['moment']>
}

type MenuProps = {
  id: string
  label: string
  end?: boolean
  active?: boolean
  /** The key that opens it. */
  shortcut?: string
  children?: Child
}

/** A panel under its button: `details`, so it opens without a script. */
export function Menu({ id, label, end = false, active = false, shortcut, children }: MenuProps) {
  return (
    <details class={`menu ${end ? 'menu-end' : ''}`} name="filter-menu" data-menu id={`menu-${id}`}>
      <summary class={`pill ${active ? 'active' : ''}`} data-key={shortcut}>
        <span id={`label-${id}`} data-swap>
          {isolateText(label)}
        </span>
        <Icon name="chevron" />
      </summary>
      <div class="panel">{children}</div>
    </details>
  )
}

type PickedKind = 'team' | 'challenge'

type PickerProps = {
  name: PickedKind | AttributeKey
  all: string
  options: Option[]
  chosen: string[]
  /** A note on options that the list leaves out. */
  note?: string | undefined
}

const pickerWords: Record<PickedKind | 'attribute', { title: Message; many: Message; find: Message }> = {
  team: { title: 'Team', many: '{n} teams', find: 'Find a team' },
  challenge: { title: 'Challenge', many: '{n} challenges', find: 'Find a challenge' },
  attribute: { title: 'Value', many: '{n} values', find: 'Find a value' },
}

type AttributeProps = { options: Pick<FilterBarProps['options'], 'attributes'>; params: URLSearchParams }

const drawnAttributes = ({ attributes }: AttributeProps['options']) =>
  attributes.map(({ name }) => toAttributeKey(name))

/** One for each attribute of people that has values. */
function AttributePickers({ options, params }: AttributeProps) {
  return (
    <>
      {options.attributes.map(({ name, values }) => (
        <Picker
          name={toAttributeKey(name)}
          all={t('All values')}
          options={values}
          chosen={params.getAll(toAttributeKey(name)).filter(Boolean)}
          note={
            values.length < mostValues ? undefined : t('The {n} values of most people.', { n: values.length })
          }
        />
      ))}
    </>
  )
}

function Picker({ name, all, options, chosen, note }: PickerProps) {
  const attribute = toAttribute(name)
  const words = pickerWords[attribute === undefined ? (name as PickedKind) : 'attribute']
  const named = (id: string) => options.find((option) => option.id === id)?.name || id
  const says =
    chosen.length === 0
      ? all
      : chosen.length === 1
        ? named(chosen[0] ?? '')
        : t(words.many, { n: chosen.length })
  const label = attribute === undefined ? says : `${attribute}: ${says}`
  // A value without an option (an old team, a typing error) stays in force and visible.
  const strangers = chosen
    .filter((id) => !options.some((option) => option.id === id))
    .map((id) => ({ id, name: id }))
  const listed = [...strangers, ...options].filter((option) => option.id !== '')
  return (
    <Menu id={name.replace('.', '-')} label={label} active={chosen.length > 0}>
      {listed.length > 7 ? (
        <input
          type="search"
          class="needs-script"
          hidden
          placeholder={t(words.find)}
          aria-label={t(words.find)}
          data-picker-search
          autocomplete="off"
        />
      ) : null}
      <fieldset class="choices" data-picker-list>
        <legend class="visually-hidden">{attribute ?? t(words.title)}</legend>
        {listed.map(({ id, name: text }) => (
          <label class="check">
            <input type="checkbox" name={name} value={id} checked={chosen.includes(id)} />
            <bdi>{text === '' ? id : text}</bdi>
          </label>
        ))}
        {listed.length === 0 ? <p class="quiet">{t('No alerts yet.')}</p> : null}
      </fieldset>
      <p class="quiet" data-picker-nothing role="status" hidden>
        {t('Nothing found.')}
      </p>
      {note === undefined ? null : <p class="quiet">{note}</p>}
    </Menu>
  )
}

function Choice({
  name,
  value,
  checked,
  label,
}: {
  name: string
  value: string
  checked: boolean
  label: string
}) {
  return (
    <label class="check">
      <input type="radio" name={name} value={value} checked={checked} />
      {label}
    </label>
  )
}

/** A date in the form; an instant from a link stays until a date is chosen. */
function AsOfField({ value }: { value: string }) {
  if (value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value))
    return <input type="date" name="as_of" value={value} aria-label={t('As of the end of')} />
  return <input type="text" name="as_of" value={value} aria-label={t('As of, an instant or a date')} />
}

function periodLabel(scope: URLSearchParams): string {
  const range = scope.get('range')
  if (range !== null) return capital(rangeName(range))
  return hasPeriod(scope) ? t('Chosen dates') : t('Any time')
}

function hasPeriod(scope: URLSearchParams): boolean {
  return scope.has('range') || windows.some(({ from, to }) => scope.has(from[0]) || scope.has(to[0]))
}
