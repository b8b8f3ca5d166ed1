/** Pages with filters that people saved under a name. */
import { z } from 'zod'
import type { Problem } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import { hashToken } from '../config/token.ts'
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
  }),
} as const
type View = z.infer<typeof viewKind.schema>
export type AccessView = View & { id: string }

export type Views = ReturnType<typeof createViews>

export function createViews({ store, clock }: { store: AccessStore; clock: () => number }) {
  const records = store.recordsOf(viewKind)
  async function readAll(): Promise<AccessView[]> {
    const all = (await records.list()).map(({ key, value }) => ({ id: key, ...value }))
    return all.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  }
  const cache = hold(readAll, clock)
  const readFor = async (login: string) => (await cache.read()).filter((view) => view.login === login)

  return {
    readFor,

    /** Replaces the view of this name. Returns why it cannot be saved. */
    async save(draft: View): Promise<Problem | undefined> {
      const name = toPlainText(draft.name)
      if (!isPlainText(name, longestViewName))
        return { code: 'not_a_view_name', values: { n: longestViewName } }
      if (draft.query.length > longestQuery) return { code: 'too_many_filters_to_save' }
      const id = hashToken(`${draft.login}\n${name.toLowerCase()}`).toString('base64url')
      const others = (await readFor(draft.login)).filter((view) => view.id !== id)
      if (others.length >= mostViews) return { code: 'too_many_views', values: { n: mostViews } }
      await records.put(id, { ...draft, name })
      cache.forget()
      return undefined
    },

    /** Undefined: the login has no such view. */
    async remove(login: string, id: string): Promise<AccessView | undefined> {
      const view = (await readFor(login)).find((each) => each.id === id)
      if (view === undefined) return undefined
      await records.remove(id)
      cache.forget()
      return view
    },
  }
}
