import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'

/** A cookie that no script reads and no other site sends. `isSecure`: by https only. */
export function setOwnCookie(
  c: Context,
  name: string,
  value: string,
  maxAgeMs: number,
  isSecure: boolean,
): void {
  const maxAge = Math.max(0, Math.floor(maxAgeMs / 1000))
  setCookie(c, name, value, { path: '/', httpOnly: true, secure: isSecure, sameSite: 'Lax', maxAge })
}
