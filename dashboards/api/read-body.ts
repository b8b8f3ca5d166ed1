import type { Context } from 'hono'
import type { z } from 'zod'
import { parseJson } from '../../schemas/json.ts'
import type { ApiProblem } from './api-context.ts'

/** JSON only: a page of another site cannot send it without a preflight request, which nothing here allows. */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<{ ok: true; value: z.infer<Schema> } | { ok: false; problems: ApiProblem[] }> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    return { ok: false, problems: [{ parameter: 'content-type', message: 'must be application/json' }] }
  }
  const json = await c.req
    .text()
    .then(parseJson)
    .catch(() => undefined)
  const parsed = schema.safeParse(json)
  if (parsed.success) return { ok: true, value: parsed.data }
  const problems = parsed.error.issues.map(({ path, message }) => ({ parameter: path.join('.') || 'body', message }))
  return { ok: false, problems }
}
