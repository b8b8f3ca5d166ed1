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
    const { status, text } = await answer.then(async (one) => ({ status: one.status, text: await one.text() }))
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

  it('makes an answer late, and right', async () => {
    const platform = await start({ apiFaults: { slow: 1, slowMs: 300 } })
    const startedAt = performance.now()
    expect(await read(call(platform, '/users'))).toBe('200 JSON')
    expect(performance.now() - startedAt).toBeGreaterThan(290)
  })

  it('happens as often as asked, and to the same calls for the same seed', async () => {
    const shares = { unauthorized: 0.05, throttled: 0.1, failing: 0.1, truncated: 0.1, garbled: 0.05 }
    const runs: string[][] = []
    for (let run = 0; run < 2; run++) {
      const platform = await start({ apiFaults: shares, callsPerHour: 10_000 })
      const answers: string[] = []
      for (let i = 0; i < 300; i++) answers.push(await read(call(platform, '/users?limit=1')))
      runs.push(answers)
    }
    expect(runs[0]).toEqual(runs[1])
    const count = (start: string) => runs[0]?.filter((answer) => answer.startsWith(start)).length ?? 0
    expect(count('200 JSON')).toBeGreaterThan(150)
    for (const kind of ['401', '429', '50', 'broken', '200 text']) expect(count(kind), kind).toBeGreaterThan(3)
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

  it('can keep a caller waiting until it gives up', async () => {
    const platform = await start()
    platform.apiFaults.next({ fault: 'hang', path: /^\/users$/ })
    expect(await read(call(platform, '/users', { signal: AbortSignal.timeout(200) }))).toBe('broken')
    expect(await read(call(platform, '/users'))).toBe('200 JSON')
  })

  it('of the whole API cuts every connection while it lasts', async () => {
    let clock = to
    const platform = await start({ clock: () => clock, apiFaults: { isDown: (at) => at < to + 60_000 } })
    expect(await read(call(platform, '/users'))).toBe('broken')
    clock += 60_000
    expect(await read(call(platform, '/users'))).toBe('200 JSON')
  })
})

describe('the manners of a caller', () => {
  it('are kept: what was asked, how it was answered, lists read without a page size', async () => {
    let clock = to
    const platform = await start({ clock: () => clock, callsPerHour: 3 })
    await call(platform, '/users')
    await call(platform, '/users?limit=50&page=1')
    clock += 1_800_000
    await call(platform, '/guides?per_page=10')
    await call(platform, '/guides?per_page=10')
    clock += 1_900_000
    await call(platform, '/guides?per_page=10')
    expect(platform.calls.byStatus()).toEqual({ 200: 4, 429: 1 })
    expect(platform.calls.unpaged().map(({ path }) => path)).toEqual(['/users'])
    expect(platform.calls.list()[1]).toEqual({
      at: to,
      method: 'GET',
      path: '/users',
      query: '?limit=50&page=1',
      status: 200,
    })
  })
})

describe('other forms of the same answers', () => {
  const first = async (platform: Platform) =>
    ((await (await call(platform, '/users?limit=1')).json()) as Answer[])[0] as Record<string, unknown>

  it('write times with fractions or in ISO 8601, and user ids as strings', async () => {
    const plain = await first(await start())
    const fractional = await first(await start({ wire: { timestamps: 'fractional' } }))
    const iso = await first(await start({ wire: { timestamps: 'iso', ids: 'string' } }))
    expect(Number.isInteger(plain['createdAt'])).toBe(true)
    expect(Number.isInteger(fractional['createdAt'])).toBe(false)
    expect(Math.trunc(Number(fractional['createdAt']))).toBe(plain['createdAt'])
    expect(Date.parse(String(iso['createdAt']))).toBe(plain['createdAt'])
    expect(iso['id']).toBe(String(plain['id']))
  })

  it('lack endpoints that some accounts do not have', async () => {
    const platform = await start({ absent: ['webhook_subscriptions', 'webhook_payloads', 'changed_assignments'] })
    for (const path of ['/webhook_subscriptions', '/assignments/guide?per_page=1']) {
      expect(await read(call(platform, path)), path).toBe('404 JSON')
    }
    const answer = (await (await call(platform, '/users/20010/assignments?webhook_payloads=true')).json()) as Answer[]
    expect(answer.every((item) => !('challengeAssignment' in item))).toBe(true)
  })

  it('say groups and managers of pulled users where the account does', async () => {
    expect(await first(await start())).not.toHaveProperty('groups')
    expect(await first(await start({ userGroups: true }))).toHaveProperty('groups')
  })
})
