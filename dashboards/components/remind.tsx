/** From a list of overdue people to their reminders, and the state of the last ones. */
import type { Child } from 'hono/jsx'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import type { PageContext } from '../page-context.ts'
import { t } from '../../language/translate.ts'
import { href, leavePeriod, type OwnParams, withChange } from '../scope/page-url.ts'
import { canOpen } from './access.tsx'
import { Hidden } from './field.tsx'
import { momentOf } from './stamp.tsx'
import type { Column, Table } from './table.tsx'

/** The newest reminder of a person. `isUnderWay`: asked for, and not sent yet. */
export type Reminded = { at: string; by: string; isUnderWay: boolean }

/** The newest reminder of each of these people; the reader sees all of them. */
export async function readReminded(
  { digest }: Pick<RouteContext, 'digest'>,
  users: readonly string[],
): Promise<ReadonlyMap<string, Reminded>> {
  if (digest === undefined || !currentVisitor().audience.names) return new Map()
  const last = await digest.reminders.lastOf(users)
  return new Map(
    [...last].map(([id, { asked_by: by, asked_at_ms, at_ms }]) => {
      const isUnderWay = at_ms === 0
      return [id, { at: new Date(isUnderWay ? asked_at_ms : at_ms).toISOString(), by, isUnderWay }]
    }),
  )
}

type NoteProps = { context: PageContext; reminded: Reminded | undefined }

export function RemindedNote({ context, reminded }: NoteProps) {
  if (reminded === undefined || !isOfNow(context)) return null
  const { at, isUnderWay } = reminded
  const by = reminded.by === context.visitor.login ? t('you') : reminded.by
  const ago = context.format.ago(at)
  return (
    <small class="quiet reminded">
      {isUnderWay ? t('Sending') : t('reminded {ago} by {by}', { ago, by })}
    </small>
  )
}

/** The link of a number pins its list to a moment. Reading it may take this long. */
const readingMs = 3_600_000

/** Reminders are about now, so pages of another moment neither offer nor note any. */
function isOfNow({ rows, format }: PageContext): boolean {
  if (rows === undefined) return true
  return momentOf(rows.asOf, format) !== 'future' && format.now - Date.parse(rows.asOf) <= readingMs
}

export function mayRemind(context: PageContext): boolean {
  return canOpen(context, '/remind') && isOfNow(context)
}

type Scoped = Pick<PageContext, 'rows' | 'params'>

function toRemindParams({ rows, params }: Scoped): URLSearchParams {
  const scope = rows?.params ?? params
  return withChange(scope, { as_of: null, compare: null, range: null, ...leavePeriod(scope) })
}

/** `narrow`: the part of the page's scope that is overdue. Default: all of it. */
export function remindHref(context: Scoped, narrow: OwnParams = {}): string {
  return href('/remind', toRemindParams(context), narrow)
}

type RemindAllProps = { context: PageContext; n: number; narrow?: OwnParams }

/** The way to the reminders of a whole list of `n` people. */
export function RemindAll({ context, n, narrow }: RemindAllProps) {
  if (!mayRemind(context)) return null
  return (
    <a class="pill no-print" href={remindHref(context, narrow)}>
      {n === 1 ? t('Remind this person') : t('Remind all {n}', { n: context.format.count(n) })}
    </a>
  )
}

type RemindFormProps = { context: PageContext; canAssign?: boolean; children?: Child }

/** A list of overdue people in which they can be ticked: to remind, to give a guide, or for a file. */
export function RemindForm({ context, canAssign = false, children }: RemindFormProps) {
  if (!mayRemind(context)) return <>{children}</>
  const fields = withChange(toRemindParams(context), { user: null, fact: 'overdue' })
  return (
    <form method="get" action="/remind" class="remind-list">
      <Hidden fields={fields} />
      <p class="contacts no-print">
        <label class="pill switch needs-script" hidden>
          <input type="checkbox" data-select-all />
          {t('Select all')}
        </label>
        <button class="pill" name="ticked" value="true">
          {t('Remind selected')}
        </button>
        {canAssign ? (
          <button class="pill" formaction="/assign">
            {t('Assign a guide')}
          </button>
        ) : null}
        <button class="pill" formaction="/api/assignments" name="format" value="csv">
          CSV
        </button>
      </p>
      {children}
    </form>
  )
}

type TickProps = { context: PageContext; id: string | null; name: string | null }

export function RemindTick({ context, id, name }: TickProps) {
  if (id === null || id === '' || !mayRemind(context)) return null
  return (
    <input
      type="checkbox"
      class="tick no-print"
      name="user"
      value={id}
      aria-label={t('Select {name}', { name: name || id })}
    />
  )
}

/** The same table with people to tick. `reminded`: their last reminders. */
export const withTicks = (
  table: Table<AssignmentRow>,
  reminded?: ReadonlyMap<string, Reminded>,
): Table<AssignmentRow> => {
  /** Further rows of a person have no tick. */
  const ticked = new Set<string | null>()
  const columns = table.columns.map((column): Column<AssignmentRow> => {
    if (column.key !== 'user_name') return column
    const cell: Column<AssignmentRow>['cell'] = (row, context) => {
      const { user_id: id, user_name: name } = row
      const shown = column.cell?.(row, context)
      if (ticked.has(id)) return shown
      ticked.add(id)
      return (
        <>
          <RemindTick context={context} id={id} name={name} /> {shown}{' '}
          <RemindedNote context={context} reminded={reminded?.get(id ?? '')} />
        </>
      )
    }
    return { ...column, cell }
  })
  return { ...table, columns }
}
