import type { Context, Hono } from 'hono'
import { toTable, type TableColumns } from '../../../reporting/exports/csv.ts'
import { parseChangeCursor, type Change, type ChangePage } from '../../../reporting/queries/changes.ts'
import { toParams } from '../../api/api-context.ts'
import { causeWords, kindWords, statusIn } from '../../../reporting/words/change-words.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { OwnFilter } from '../../scope/filter-words.ts'
import { t } from '../../../language/translate.ts'
import { present } from '../../../services/runtime/control/command.ts'
import { rowOnly } from '../../scope/follow.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable } from '../../http/send-table.ts'
import { ChangesPage } from './page.tsx'
import { readMoments, readVisit } from './moments.ts'
import type { ChangesState } from './lists.tsx'
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { changeCauses, changeKinds } from '../../../reporting/metrics/changes.ts'

const ownKeys = ['since', 'from', 'to', 'kind', 'cause', 'after']
const rowsPerPage = 50
/** A file is read so many changes at a time. */
const changesAtATime = 100_000

export function mountChanges(app: Hono, routes: RouteContext): void {
  app.get('/changes', async (c) => {
    const visit = readVisit(c, routes.clock())
    const { parsed, moments, state, keeps, before, scope } = readRequest(c, routes, visit)
    const request = { after: state.after, limit: rowsPerPage, ...onlyOf(state) }
    const [counts, page, frame] = await Promise.all([
      routes.queries.changeCounts(before, scope),
      routes.queries.changes(before, scope, request),
      routes.queries.frame(scope),
    ])
    const context = { ...parsed.context(), keeps }
    const notices = [...parsed.notices, ...moments.notices]
    return c.html(ChangesPage({ context, scope, moments, state, counts, page, frame, notices }))
  })

  app.get('/:file{changes\\.(csv|xlsx)}', async (c) => {
    const { parsed, state, before, scope } = readRequest(c, routes, null)
    const changes: Change[] = []
    const request = { limit: changesAtATime, withEvents: false, ...onlyOf(state) }
    let after: ChangesState['after'] | null = undefined
    while (after !== null) {
      const page: ChangePage = await routes.queries.changes(before, scope, { ...request, after })
      for (const change of page.changes) changes.push(change)
      after = page.next === null ? null : (parseChangeCursor(page.next) ?? null)
    }
    const frame = await routes.queries.frame(scope)
    const what = `changes-since-${toLocalDate(before.timeZone, before.asOf)}`
    const own = ownFilters(state, parsed.context().format.instant(before.asOf))
    return sendTable(c, what, toTable(columns, changes), { scope, rowParams: parsed.rowParams, own }, frame)
  })
}

function readRequest(c: Context, routes: RouteContext, visit: number | null) {
  const address = toParams(c)
  // The later moment is the page's own.
  const params = new URLSearchParams([...address].filter(([key]) => key !== 'compare'))
  const parsed = pageRequest(c, routes, { query: params, ignore: ownKeys, idle: ['as_of', ...rowOnly] })
  const { timeZone, now } = parsed.scope
  const moments = readMoments(address, { timeZone, now, visit })
  const state: ChangesState = {
    kind: changeKinds.find((kind) => kind === address.get('kind')) ?? null,
    cause: changeCauses.find((cause) => cause === address.get('cause')) ?? null,
    after: parseChangeCursor(address.get('after') ?? ''),
  }
  parsed.notices.push(...toKeyNotices(address, state))
  return {
    parsed,
    moments,
    state,
    // As the address says them, so that a preset moves along with the time.
    keeps: {
      ...(moments.since === null ? { from: address.get('from') } : { since: address.get('since') }),
      to: address.get('to'),
      kind: state.kind,
      cause: state.cause,
    },
    before: { ...parsed.scope, asOf: moments.from },
    scope: { ...parsed.scope, asOf: moments.to },
  }
}

/** The later moment is that of the file, and the day of the first one is in its name. */
function ownFilters({ kind, cause }: ChangesState, since: string): OwnFilter[] {
  return present([
    { key: 'from', id: '', label: t('From'), value: since },
    kind !== null && { key: 'kind', id: kind, label: t('What'), value: kindWords(kind) },
    cause !== null && { key: 'cause', id: cause, label: t('Why'), value: causeWords(cause) },
  ])
}

/** Changes without a name, such as viewed or due soon, are listed where they are asked for. */
function onlyOf({ kind, cause }: ChangesState) {
  return {
    kinds: kind === null ? changeKinds.filter((each) => each !== 'other') : [kind],
    ...(cause !== null && { causes: [cause] }),
  }
}

const columns: TableColumns<Change> = {
  assignment_id: (change) => change.assignment_id,
  user_id: (change) => change.user_id,
  user_name: (change) => change.user_name,
  challenge_id: (change) => change.challenge_id,
  challenge: (change) => change.challenge,
  kinds: (change) => change.kinds.join(' '),
  causes: (change) => change.causes.join(' '),
  status_before: ({ before }) => statusIn(before) ?? '',
  status_after: ({ after }) => statusIn(after) ?? '',
  grade_before: ({ before }) => before.grade,
  grade_after: ({ after }) => after.grade,
  due_before: ({ before }) => before.due_date,
  due_after: ({ after }) => after.due_date,
  changed_at: (change) => change.changed_at,
}
