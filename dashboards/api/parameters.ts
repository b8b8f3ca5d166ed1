/** The parameters of a scope as OpenAPI describes them, with a route's own. */
import { z } from 'zod'
import { scopeKeys, scopeParameters } from '../../reporting/scope/filters.ts'

/** `keys`: the parameters of a scope that the route takes. Default: all. */
export function scopeQuery(own: Record<string, z.ZodType> = {}, keys: readonly string[] = scopeKeys): z.ZodObject {
  const taken = Object.entries(scopeParameters).filter(([key]) => keys.includes(key))
  return z.object({ ...Object.fromEntries(taken), ...own })
}
