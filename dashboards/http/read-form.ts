import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/** For forms with short fields. */
export const formLimit = bodyLimit({ maxSize: 16 * 1024 })

/** The fields of a form as they were sent, such as passwords. One that is missing or a file is empty. */
export async function readExactForm(c: Context): Promise<(name: string) => string> {
  const body = await c.req.parseBody()
  return (name) => (typeof body[name] === 'string' ? body[name] : '')
}

/** The fields of a form without spaces around them. */
export async function readForm(c: Context): Promise<(name: string) => string> {
  const text = await readExactForm(c)
  return (name) => text(name).trim()
}
