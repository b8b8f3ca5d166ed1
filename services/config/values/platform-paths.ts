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

/** `users=/rest/people,guides=/rest/guides`. Other paths keep their default. */
export const pathsSetting = setting((text, refuse): PlatformPaths => {
  const paths: PlatformPaths = { ...defaultPaths }
  for (const entry of toEntries(text)) {
    const [, word = '', path = ''] = /^([^=]+)=(.*)$/s.exec(entry) ?? []
    const name = names.find((each) => each === word)
    if (word === '') return refuse('must be name=/path,...')
    if (!path.startsWith('/')) return refuse(`the path ${word} must begin with /`)
    if (name === undefined) return refuse(`knows no path ${word}; there are ${names.join(', ')}`)
    const needsId = defaultPaths[name].includes('{id}')
    if (needsId !== path.includes('{id}')) {
      return refuse(`the path ${name} ${needsId ? 'must hold {id}' : 'must not hold {id}'}`)
    }
    paths[name] = path
  }
  return paths
})
