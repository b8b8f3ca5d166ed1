/** The paths of the platform. The defaults are those of the live platform; `{...}` stands for an id. */
import { z } from 'zod'

export const defaultPaths = {
  users: '/api/v1/users',
  user_assignments: '/api/v1/users/{id}/assignments?webhook_payloads=true',
  guides: '/api/v1/guides',
  guide_assignments: '/api/v1/guides/{id}/assignments',
  changed_guide_assignments: '/api/v1/assignments/guide',
  challenge: '/api/v1/challenge/{id}',
  webhook_subscriptions: '/api/v1/webhook_subscriptions',
}

export type PathName = keyof typeof defaultPaths
export type PlatformPaths = Record<PathName, string>

const names = Object.keys(defaultPaths) as PathName[]

/** A setting: `users=/rest/people,guides=/rest/guides` or the same as a JSON object; omitted ones keep their default. */
export const pathsSetting = z.string().transform((text, context): PlatformPaths => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const given = text.trimStart().startsWith('{') ? parseJson(text) : parseList(text)
  if (given === undefined) return refuse('must be name=/path,... or a JSON object of them')
  for (const [name, path] of Object.entries(given)) {
    const known = names.find((one) => one === name)
    if (known === undefined) return refuse(`knows no path ${name}; there are ${names.join(', ')}`)
    if (typeof path !== 'string' || !path.startsWith('/')) return refuse(`the path ${name} must begin with /`)
    const needsId = defaultPaths[known].includes('{id}')
    if (needsId !== path.includes('{id}')) {
      return refuse(`the path ${name} ${needsId ? 'must hold {id}' : 'must not hold {id}'}`)
    }
  }
  return { ...defaultPaths, ...(given as Partial<PlatformPaths>) }
})

const takeBackIds: readonly string[] = ['guide_id', 'assignment_id', 'user_id']

/** The path of the DELETE that takes a guide back: the specification speaks of DELETE and shows no path. */
export const takeBackPathSetting = z.string().transform((text, context): string => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  if (!/^\/[^\s#]*$/.test(text)) return refuse('must begin with /')
  const odd = names.find((name) => !takeBackIds.includes(name))
  if (odd !== undefined) return refuse(`knows no {${odd}}; there are {${takeBackIds.join('}, {')}}`)
  if (names.every((name) => name === 'guide_id')) return refuse('must hold {assignment_id} or {user_id}')
  return text
})

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function parseList(text: string): Record<string, unknown> | undefined {
  const pairs = text.split(',').map((pair) => pair.trim().split(/=(.*)/s).slice(0, 2))
  return pairs.every((pair) => pair.length === 2) ? (Object.fromEntries(pairs) as Record<string, string>) : undefined
}
