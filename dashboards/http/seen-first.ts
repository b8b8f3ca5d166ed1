/** Reads how many people a narrowed reader sees, for what every page says of it. */
import type { Context, MiddlewareHandler } from 'hono'

const key = 'rollcall-seen'

/** A page never fails for it: without an answer it says nothing. `read`: the people seen, `null` for everybody. */
export function seenFirst(
  read: () => Promise<readonly string[] | null>,
  onError: (error: unknown) => void,
): MiddlewareHandler {
  return async (c, next) => {
    const ids = await read().catch((error: unknown) => {
      onError(error)
      return null
    })
    if (ids !== null) c.set(key, { seen: ids.length })
    await next()
  }
}

export function seenOf(c: Context): { seen?: number } {
  return (c.get(key) as { seen: number } | undefined) ?? {}
}
