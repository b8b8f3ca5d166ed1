import { describe, expect, test } from 'vitest'
import { defaultPaths, type PlatformPaths } from '../../services/config/values/platform-paths.ts'
import { toPlatformHref, toPlatformLinks } from '../../services/config/values/platform-links.ts'
import { parseConfig } from '../../services/config/config.ts'
import { openClient, serve } from './answers.ts'

const given = { PLATFORM_URL: 'https://platform.example.com/', PLATFORM_TOKEN: 'token' }

function problems(env: Record<string, string>): string[] {
  const result = parseConfig({ ...given, ...env })
  return result.ok ? [] : result.problems
}

function toPaths(text: string): PlatformPaths | undefined {
  const result = parseConfig({ ...given, PLATFORM_PATHS: text })
  if (!result.ok) throw new Error(result.problems.join('\n'))
  return result.config.platformPaths
}

describe('the settings of the platform', () => {
  test('need the address and the token together', () => {
    expect(problems({})).toEqual([])
    const alone = (env: Record<string, string>) => {
      const result = parseConfig(env)
      return result.ok ? [] : result.problems
    }
    const message = ['PLATFORM_URL: needs PLATFORM_TOKEN, and PLATFORM_TOKEN needs PLATFORM_URL']
    expect(alone({ PLATFORM_URL: given.PLATFORM_URL })).toEqual(message)
    expect(alone({ PLATFORM_TOKEN: given.PLATFORM_TOKEN })).toEqual(message)
  })

  test('move paths; what is not named stays where it is', () => {
    const moved = { ...defaultPaths, users: '/rest/people', guides: '/rest/guides?kind=a' }
    expect(toPaths('users=/rest/people, guides=/rest/guides?kind=a')).toEqual(moved)
  })

  test.each([
    ['userz=/x', /knows no path userz/],
    ['users=x', /users must begin with \//],
    ['user_assignments=/assignments', /user_assignments must hold \{id\}/],
    ['users=/users/{id}', /users must not hold \{id\}/],
    ['nonsense', /name=\/path/],
  ])('refuse paths that cannot be: %s', (text, message) => {
    expect(problems({ PLATFORM_PATHS: text })).toEqual([expect.stringMatching(message)])
  })

  test.each([
    ['javascript:alert({user_id})', /must be an address that begins with https/],
    ['https://{user_id}.example.com/', /must be an address that begins with https/],
    ['https://learn.example.com@{user_id}/', /must be an address that begins with https/],
    ['https://learn.example.com/people', /must hold \{user_id\}, such as https:\/\/learn/],
    ['https://learn.example.com/{id}', /knows no \{id\}; there are \{user_id\}/],
  ])('refuse an address of learners that cannot be: %s', (text, message) => {
    expect(problems({ PLATFORM_LEARNER_URL: text })).toEqual([expect.stringMatching(message)])
  })

  test.each(['every day', '0 0 31 2 *'])('refuse a schedule that never comes: %s', (text) => {
    expect(problems({ PULL_SCHEDULE: text })).toEqual([expect.stringMatching(/PULL_SCHEDULE.*cron pattern/)])
    expect(problems({ PULL_SCHEDULE: 'off' })).toEqual([])
  })
})

test.each([
  ['20010', 'https://learn.example.com/people/20010?tab=late#20010'],
  ['a/../b?c#d&e', 'https://learn.example.com/people/a%2F..%2Fb%3Fc%23d%26e?tab=late#a%2F..%2Fb%3Fc%23d%26e'],
  ['"><b>é\n', 'https://learn.example.com/people/%22%3E%3Cb%3E%C3%A9%0A?tab=late#%22%3E%3Cb%3E%C3%A9%0A'],
  // Steps in a path, also where they are escaped; and text that no address can hold.
  ['..', null],
  ['.', null],
  ['', null],
  ['\ud800', null],
])('a link into the platform holds the id %j and nothing else of it', (id, href) => {
  const parsed = parseConfig({
    ...given,
    PLATFORM_LEARNER_URL: 'https://learn.example.com/people/{user_id}?tab=late#{user_id}',
  })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const { learner } = toPlatformLinks(parsed.config)
  expect(toPlatformHref(learner, { user_id: id })).toBe(href)
  expect(toPlatformHref(learner, {})).toBe(null)
  expect(toPlatformHref(undefined, { user_id: id })).toBe(null)
})

describe('a client with other paths', () => {
  test('asks there, with ids in their places and nothing of an id able to lead elsewhere', async () => {
    const server = await serve([{ json: [] }])
    const client = openClient(server.url, {
      paths: {
        ...defaultPaths,
        users: '/rest/people?kind=all',
        user_assignments: '/rest/people/{id}/given?as=webhooks',
        guide_assignments: '/rest/guides/{id}/given',
      },
    })
    await client.users({ from: 2, size: 10 }).next()
    await client.userAssignments('../admin?x=1&y')
    await client.createGuideAssignment({ guideId: 'g 1', userId: 'abc', dueDateMs: Date.UTC(2026, 0, 5) })
    expect(server.calls).toEqual([
      'GET /rest/people?kind=all&includeDeleted=true&limit=10&page=2',
      'GET /rest/people/..%2Fadmin%3Fx%3D1%26y/given?as=webhooks',
      'POST /rest/guides/g%201/given',
    ])
    expect(JSON.parse(server.bodies[2] ?? '')).toEqual({
      userId: 'abc',
      dueDate: '2026-01-05T00:00:00.000Z',
      dueAtEndOfDay: true,
    })
    await expect(client.userAssignments('..')).rejects.toMatchObject({ code: 'REFUSED' })
    expect(server.calls).toHaveLength(3)
  })
})
