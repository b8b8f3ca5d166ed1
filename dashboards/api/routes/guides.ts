import type { Hono } from 'hono'
import { askScope, refuse, toParams, type ApiContext } from '../api-context.ts'
import { isScopeKey, toAttribute } from '../../../reporting/scope/filters.ts'

/** Besides attributes of people. Guides are pulled, so they have no past states; other parameters concern challenges. */
export const guideScopeParameters: readonly string[] = [
  'team',
  'without',
  'manager',
  'manager_depth',
  'user',
  'due_zone',
  'due_end',
  'include_leavers',
]

export function isGuideParameter(name: string): boolean {
  return guideScopeParameters.includes(name) || toAttribute(name) !== undefined
}

/** `/guides`: progress with the assigned guides. */
export function mountGuides(app: Hono, context: ApiContext): void {
  app.get('/guides', async (c) => {
    const params = toParams(c)
    const isOther = (name: string) => isScopeKey(name) && !isGuideParameter(name)
    const others = [...new Set(params.keys())].filter(isOther)
    const { scope, problems } = askScope(c, context, ['guide', ...others])
    const refusals = others.map((parameter) => ({
      parameter,
      message: 'is not for guides, which are known as of now only',
    }))
    if (scope === undefined || refusals.length > 0) return refuse(c, [...problems, ...refusals])
    const guide = [...new Set(params.getAll('guide'))]
    // Names for a form are for pages.
    const { options: _, ...answer } = await context.queries.guides(scope, guide)
    return c.json(answer)
  })
}
