/** Pages with filters that people saved under a name. */
import { randomBytes } from 'node:crypto'
import { refuse, type Problem } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import { createTurns } from '../runtime/turns.ts'
import { isPlainText, toPlainText } from '../access/plain-text.ts'
import type { AccessStore, AccessView } from '../access/access-store.ts'

export const longestViewName = 60
/** Views of one person. */
export const mostViews = 50
const longestQuery = 4_000

/** `isOffered`: whether everyone sees it. Default: no. */
type ViewDraft = Pick<AccessView, 'login' | 'name' | 'path' | 'query'> & { isOffered?: boolean }

export type ViewChanged = { ok: true } | { ok: false; problem: Problem }

export type Views = ReturnType<typeof createViews>

export function createViews({ store, clock }: { store: AccessStore; clock: () => number }) {
  const cache = hold(() => store.readViews(), clock)
  /** A change writes the whole row as it was read: a new name must not bring back what was removed meanwhile. */
  const inTurn = createTurns()

  async function write(view: AccessView, isRemoved = false): Promise<ViewChanged> {
    await store.writeView({ ...view, isRemoved, nowMs: clock() })
    cache.forget()
    return { ok: true }
  }

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
        const views = await store.readViews()
        const problem = findProblem(views, draft.login, name)
        if (problem !== undefined) return { ok: false, problem }
        if (draft.query.length > longestQuery) return refuse('too_many_filters_to_save')
        if (views.filter((view) => view.login === draft.login).length >= mostViews)
          return refuse('too_many_views', { n: mostViews })
        return write({ ...draft, name, id: randomBytes(9).toString('base64url'), is_offered: isOffered })
      }),

    /** Their own; an owner may also take back views that are offered. */
    change: (
      id: string,
      { login, isOwner }: { login: string; isOwner: boolean },
      change: { name: string } | { isOffered: boolean } | 'remove',
    ): Promise<ViewChanged> =>
      inTurn(async () => {
        const views = await store.readViews()
        const view = views.find((each) => each.id === id)
        const isOwn = view?.login === login
        const isTakingBack =
          change === 'remove' || (typeof change === 'object' && 'isOffered' in change && !change.isOffered)
        if (view === undefined || !(isOwn || (isOwner && view.is_offered && isTakingBack)))
          return refuse('unknown_view')
        if (change === 'remove') return write(view, true)
        if ('isOffered' in change) {
          return isOwner ? write({ ...view, is_offered: change.isOffered }) : refuse('only_owners_offer')
        }
        const name = toPlainText(change.name)
        const problem = findProblem(views, login, name, id)
        return problem === undefined ? write({ ...view, name }) : { ok: false, problem }
      }),
  }
}
