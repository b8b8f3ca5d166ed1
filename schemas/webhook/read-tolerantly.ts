/** How everything from the platform is read: fitting values count; others are unknown and named as drift. */
import type { z } from 'zod'

/**
 * Parses by the schema; a field that does not fit is dropped from `json`, named as drift, and the rest is parsed again. So the
 * schema stays the only declaration, and fitting fields are parsed once. The cost of a webhook is bounded by its schema: every field
 * of it, a list included, has at most one issue.
 */
export function readTolerantly<Value>(
  json: Record<string, unknown>,
  schema: z.ZodType<Value>,
): { value: Value; drift: Set<string> } {
  const drift = new Set<string>()
  let parsed = schema.safeParse(json)
  while (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const field = issue.path.map((key) => (typeof key === 'number' ? '[]' : String(key))).join('.')
      const { fitting, unfit = [''] } = (issue.code === 'custom' && issue.params) || {}
      for (const part of unfit as Iterable<string>) drift.add(part === '' ? field : `${field}.${part}`)
      replace(json, issue.path, fitting)
    }
    parsed = schema.safeParse(json)
  }
  return { value: parsed.data, drift }
}

/**
 * A dropped field is absent, not null: null would mean something (it clears a person's teams). An element of a list keeps
 * its place.
 */
function replace(root: Record<string, unknown>, path: readonly PropertyKey[], value: unknown): void {
  let parent: any = root
  for (const key of path.slice(0, -1)) parent = parent[key]
  const last = path.at(-1)
  if (last === undefined) throw new Error('Only fields of an object can be left out')
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent[last as number] = null
  else delete parent[last]
}
