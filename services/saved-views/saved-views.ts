/** Pages with filters that people saved under a name. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { refuse, type Problem } from '../../language/problems.ts'
import { t } from '../../language/translate.ts'
import { hold } from '../runtime/hold.ts'
import { createTurns } from '../runtime/turns.ts'
import { isPlainText, toPlainText } from '../access/plain-text.ts'
import type { AccessStore } from '../access/access-store.ts'

export const longestViewName = 60
/** Views of one person. */
export const mostViews = 50
const longestQuery = 4_000

const viewKind = {
  name: 'view',
  schema: z.object({
    /** Whose it is. Empty where nobody signs in. */
    login: z.string(),
    name: z.string(),
    path: z.string(),
    /** Its filters, as in its address. */
    query: z.string(),
    /** Whether everybody who may open the page is offered it. */
    is_offered: z.boolean(),
  }),
} as const
type View = z.infer<typeof viewKind.schema>
export type AccessView = View & { id: string; version: number }

/** `isOffered`: whether everyone sees it. Default: no. */
type ViewDraft = Pick<AccessView, 'login' | 'name' | 'path' | 'query'> & { isOffered?: boolean }

export type ViewChanged = { ok: true } | { ok: false; problem: Problem }

export type Views = ReturnType<typeof createViews>

export function createViews({ store, clock }: { store: AccessStore; clock: () => number }) {
  const records = store.recordsOf(viewKind)
  async function readAll(): Promise<AccessView[]> {
    const all = (await records.list()).map(({ key, value, version }) => ({ id: key, version, ...value }))
    return all.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  }
  const cache = hold(readAll, clock)
  /** So that a form that is sent twice is saved once. */
  const inTurn = createTurns()

  /** Why a login cannot call a view so; `id`: the view itself. */
  function findProblem(
    views: readonly AccessView[],
    login: string,
    name: string,
    id?: string,
  ): Problem | undefined {
    if (!isPlainText(name, longestViewName))
      return { code: 'not_a_view_name', values: { n: longestViewName } }
    const others = views.filter((view) => view.login === login && view.id !== id)
    const isTaken = others.some((view) => view.name.toLowerCase() === name.toLowerCase())
    return isTaken ? { code: 'view_name_taken' } : undefined
  }

  return {
    /** Those of a login, and those offered to everybody. */
    async readFor(login: string): Promise<AccessView[]> {
      return (await cache.read()).filter((view) => view.login === login || view.is_offered)
    },

    save: ({ isOffered = false, ...draft }: ViewDraft): Promise<ViewChanged> =>
      inTurn(async () => {
        const name = toPlainText(draft.name)
        const views = await readAll()
        const problem = findProblem(views, draft.login, name)
        if (problem !== undefined) return { ok: false, problem }
        if (draft.query.length > longestQuery) return refuse('too_many_filters_to_save')
        if (views.filter((view) => view.login === draft.login).length >= mostViews)
          return refuse('too_many_views', { n: mostViews })
        const id = randomBytes(9).toString('base64url')
        await records.put(id, { ...draft, name, is_offered: isOffered })
        cache.forget()
        return { ok: true }
      }),

    /** Their own; an owner may also take back views that are offered. `readAt`: the version that the reader saw. Default: the latest. */
    async change(
      id: string,
      { login, isOwner }: { login: string; isOwner: boolean },
      change: { name: string } | { isOffered: boolean } | 'remove',
      readAt?: number,
    ): Promise<ViewChanged> {
      const views = await readAll()
      const view = views.find((each) => each.id === id)
      const isOwn = view?.login === login
      const isTakingBack = change === 'remove' || ('isOffered' in change && !change.isOffered)
      if (view === undefined || !(isOwn || (isOwner && view.is_offered && isTakingBack)))
        return refuse('unknown_view')
      const { login: whose, name, path, query, is_offered, version } = view
      const before = { login: whose, name, path, query, is_offered }
      let next: View | undefined
      if (change !== 'remove' && 'isOffered' in change) {
        if (!isOwner) return refuse('only_owners_offer')
        next = { ...before, is_offered: change.isOffered }
      } else if (change !== 'remove') {
        next = { ...before, name: toPlainText(change.name) }
        const problem = findProblem(views, login, next.name, id)
        if (problem !== undefined) return { ok: false, problem }
      }
      const at = readAt ?? version
      const put = await (next === undefined ? records.remove(id, at) : records.put(id, next, at))
      cache.forget()
      if (put.ok) return put
      return refuse('changed_meanwhile', { stored: sayView(put.kept?.value), yours: sayView(next) })
    },
  }
}

function sayView(view: View | undefined): string {
  if (view === undefined) return t('removed')
  return view.is_offered ? `${view.name} (${t('Offered to everybody')})` : view.name
}
