/** The paths of the platform. The defaults are those of the live platform; `{...}` stands for an id. */
import { setting, toEntries } from '../setting.ts'

export const defaultPaths = {
  users: '/api/v1/users',
  user_assignments: '/api/v1/users/{id}/assignments?webhook_payloads=true',
  guides: '/api/v1/guides',
  guide_assignments: '/api/v1/guides/{id}/assignments',
  changed_guide_assignments: '/api/v1/assignments/guide',
  webhook_subscriptions: '/api/v1/webhook_subscriptions',
}

export type PathName = keyof typeof defaultPaths
export type PlatformPaths = Record<PathName, string>

const names = Object.keys(defaultPaths) as PathName[]

/** `users=/rest/people,guides=/rest/guides`; paths that are left out keep their default. */
export const pathsSetting = setting((text, refuse): PlatformPaths => {
  const paths = { ...defaultPaths }
  for (const entry of toEntries(text)) {
    const [, word = '', path = ''] = /^([^=]+)=(.*)$/s.exec(entry) ?? []
    const name = names.find((each) => each === word)
    if (word === '') return refuse('must be name=/path,...')
    if (name === undefined) return refuse(`knows no path ${word}; there are ${names.join(', ')}`)
    if (!path.startsWith('/')) return refuse(`the path ${name} must begin with /`)
    const needsId = defaultPaths[name].includes('{id}')
    if (needsId !== path.includes('{id}')) {
      return refuse(`the path ${name} ${needsId ? 'must hold {id}' : 'must not hold {id}'}`)
    }
    paths[name] = path
  }
  return paths
})

const takeBackIds: readonly string[] = ['guide_id', 'assignment_id', 'user_id']

/** The path of the DELETE that takes a guide back: the specification speaks of DELETE and shows no path. */
export const takeBackPathSetting = setting((text, refuse): string => {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  if (!/^\/[^\s#]*$/.test(text)) return refuse('must begin with /')
  const odd = names.find((name) => !takeBackIds.includes(name))
  if (odd !== undefined) return refuse(`knows no {${odd}}; there are {${takeBackIds.join('}, {')}}`)
  if (names.every((name) => name === 'guide_id')) return refuse('must hold {assignment_id} or {user_id}')
  return text
})
