import { afterEach, describe, expect, it } from 'vitest'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 4, 8, 12)
const started: Platform[] = []
/** Answers are read as a stranger would read them. */
type Answer = any

afterEach(async () => {
  for (const platform of started.splice(0)) await platform.close()
})

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({ seed: 'faults', from, to, people: 60, tokens: ['good'], ...options })
  started.push(platform)
  await platform.deliverHistory()
  return platform
}

const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
const call = (platform: Platform, path: string, init: RequestInit = {}) =>
  fetch(`${platform.baseUrl}/api/v1${path}`, { headers, ...init })

/** The status, or that there was no whole answer; and whether the body was JSON. */
async function read(answer: Promise<Response>): Promise<string> {
  try {
    const { status, text } = await answer.then(async (one) => ({
      status: one.status,
      text: await one.text(),
    }))
    try {
      JSON.parse(text)
      return `${status} JSON`
    } catch {
      return `${status} text`
    }
  } catch {
    return 'broken'
  }
}

describe('a fault of the API', () => {
  it.each([
    ['unauthorized', '401 text'],
    ['throttled', '429 JSON'],
    ['truncated', 'broken'],
    ['cut', 'broken'],
    ['garbled', '200 text'],
  ] as const)('%s is answered with %s, once, where a test asks for it', async (fault, expected) => {
    const platform = await start()
    platform.apiFaults.next({ fault, path: /^\/guides$/ })
    expect(await read(call(platform, '/users'))).toBe('200 JSON')
    expect(await read(call(platform, '/guides'))).toBe(expected)
    expect(await read(call(platform, '/guides'))).toBe('200 JSON')
  })

  it('leaves open whether a POST was carried out', async () => {
    const platform = await start()
    const [guide] = ((await (await call(platform, '/guides')).json()) as Answer).data.guides
    const path = `/guides/${guide.id}/assignments`
    const post = () => call(platform, path, { method: 'POST', headers, body: '{"userId":20010}' })
    const count = () =>
      platform.guides
        .assignmentsAt(platform.life.now())
        .filter(({ person, record }) => person.id === 20_010 && record.courseId === guide.id).length
    const before = count()
    for (const fault of ['failing', 'cut', 'truncated', 'garbled'] as const) {
      platform.apiFaults.next({ fault, method: 'POST', carriedOut: false })
      await read(post())
    }
    expect(count()).toBe(before)
    for (const fault of ['failing', 'cut', 'truncated', 'garbled'] as const) {
      platform.apiFaults.next({ fault, method: 'POST', carriedOut: true })
      await read(post())
    }
    expect(count()).toBe(before + 4)
  })

  it('of the whole API cuts every connection while it lasts', async () => {
    let clock = to
    const platform = await start({ clock: () => clock, apiFaults: { isDown: (at) => at < to + 60_000 } })
    expect(await read(call(platform, '/users'))).toBe('broken')
    clock += 60_000
    expect(await read(call(platform, '/users'))).toBe('200 JSON')
  })
})
