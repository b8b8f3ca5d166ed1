/** Reads the saved views of the visitor, for the bar of every page. */
import type { Context, MiddlewareHandler } from 'hono'
import { currentVisitor } from '../../services/access/visitor.ts'
import type { AccessView } from '../../services/access/access-store.ts'
import type { Views } from '../../services/saved-views/saved-views.ts'

const key = 'rollcall-views'

/** A page never fails for it: without an answer it offers no views. */
export function viewsFirst(views: Views, onError: (error: unknown) => void): MiddlewareHandler {
  return async (c, next) => {
    const { login, via, role } = currentVisitor()
    if (role !== null && (via === 'session' || via === 'proxy' || via === 'nobody')) {
      const found = await views.readFor(login).catch((error: unknown) => onError(error))
      c.set(key, found)
    }
    await next()
  }
}

/** `undefined`: nobody saves views here. */
export function viewsOf(c: Context): readonly AccessView[] | undefined {
  return c.get(key) as readonly AccessView[] | undefined
}
