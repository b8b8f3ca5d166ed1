/** Requests that a page or a tool makes of these dashboards themselves: whatever guards an address guards these too. */
import type { Context } from 'hono'

/** Answers a request as the server would, for the visitor who asks. */
export type Ask = (request: Request, env: unknown) => Response | Promise<Response>

/** From where; who asks is known from within. */
const passedOn = ['host', 'origin', 'sec-fetch-site', 'x-forwarded-for', 'x-forwarded-proto']

export function toInsideRequest(c: Context, path: string, init: RequestInit): Request {
  const headers = new Headers()
  for (const name of passedOn) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(new URL(path, c.req.url), { ...init, headers })
}
