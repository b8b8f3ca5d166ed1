import { describe, expect, test } from 'vitest'
import type { PlatformClientOptions } from '../../services/platform/open-platform-client.ts'
import { openClient, readPage, serve, type Answered } from './answers.ts'
import { createTurnedClock } from './clocks.ts'

const users = [{ id: 1 }, { id: 2 }]
const good: Answered = { json: users }

/** Short where it is waited for, and never the reason of anything else on a busy machine. */
function toTimeout(fault: Answered, silentMs: number): number {
  return fault.silent === true ? silentMs : 20_000
}

describe('a read that fails', () => {
  const passing: [string, Answered][] = [
    ['a failure of the platform', { status: 500, json: { error: 'Something went wrong' } }],
    ['too many calls', { status: 429, json: { error: 'Rate limit exceeded' } }],
    ['half an answer', { json: users, cut: 'middle' }],
    ['a connection that breaks before an answer', { cut: 'instead' }],
    ['a page for people with status 200', { text: '<html>We will be right back</html>' }],
    ['an answer that does not come in time', { silent: true }],
  ]
  test.each(passing)('is made again after %s', async (_, fault) => {
    const server = await serve([fault, fault, good])
    const page = await readPage(openClient(server.url, { timeoutMs: toTimeout(fault, 1_000) }).users())
    expect(page.items.map(({ id }) => id)).toEqual(['1', '2'])
    // A slow machine may give up the good answer, too.
    expect(server.calls.length).toSatisfy((calls) => calls === 3 || (fault.silent === true && calls > 3))
  })

  test.each([
    ['FAILED', { status: 503 }],
    ['RATE_LIMITED', { status: 429 }],
    ['UNREADABLE', { text: '[' }],
    ['UNREACHABLE', { cut: 'instead' }],
    ['TIMED_OUT', { silent: true }],
  ] satisfies [string, Answered][])('is given up as %s after five more tries', async (code, fault) => {
    const server = await serve([fault])
    const tries: string[] = []
    const onCall: PlatformClientOptions['onCall'] = ({ outcome }) => void tries.push(outcome)
    const asked = readPage(openClient(server.url, { timeoutMs: toTimeout(fault, 100), onCall }).users())
    await expect(asked).rejects.toMatchObject({
      name: 'PlatformError',
      code,
      mayHaveHappened: false,
      isRetryable: true,
    })
    expect(tries).toEqual(Array(6).fill(code))
    // Of one that is given up after so short a time the server may not have heard yet.
    if (!('silent' in fault)) expect(server.calls).toHaveLength(6)
  })

  test.each([
    ['UNAUTHORIZED', { status: 401, text: 'Unauthorized' }, /dies with that user.*PLATFORM_TOKEN/],
    [
      'FORBIDDEN',
      { status: 403, json: { type: 'forbidden', message: 'Ann Berg may not' } },
      /^(?!.*Ann).*403.*dies with that user/,
    ],
    ['NOT_FOUND', { status: 404, json: { error: 'Guide not found' } }, /nothing there \(404\)\.$/],
    ['REFUSED', { status: 422, json: {} }, /422/],
    ['REFUSED', { status: 302, headers: { location: 'https://elsewhere.example.com' } }, /PLATFORM_URL/],
    ['UNEXPECTED', { json: { hello: 'there' } }, /no list of users/],
  ] satisfies [string, Answered, RegExp][])(
    'is not made again when it can only fail the same way: %s',
    async (code, fault, message) => {
      const server = await serve([fault])
      const asked = readPage(openClient(server.url).users())
      await expect(asked).rejects.toMatchObject({
        code,
        isRetryable: false,
        message: expect.stringMatching(message),
      })
      expect(server.calls).toHaveLength(1)
    },
  )

  test.each([302, 307])(
    'sends the token to no target of a redirect (%i) and never says it',
    async (status) => {
      const elsewhere = await serve([good])
      const server = await serve([{ status, headers: { location: elsewhere.url } }])
      const asked = readPage(openClient(server.url, { token: 'very-secret' }).users())
      const error: unknown = await asked.catch((error: unknown) => error)
      expect([server.headers[0]?.['authorization'], elsewhere.calls]).toEqual(['Bearer very-secret', []])
      expect(error).toMatchObject({ code: 'REFUSED' })
      expect(JSON.stringify(error) + String(error)).not.toContain('very-secret')
    },
  )

  test('is refused when its answer is larger than allowed, without reading it to the end', async () => {
    const server = await serve([{ text: `[${' '.repeat(5_000_000)}]` }])
    await expect(readPage(openClient(server.url, { maxAnswerBytes: 10_000 }).users())).rejects.toMatchObject({
      code: 'TOO_LARGE',
    })
  })

  test('waits as long as the platform says, else with growing pauses, and holds back all other calls', async () => {
    const clock = createTurnedClock()
    const server = await serve([
      { status: 429, headers: { 'retry-after': '30' } },
      { status: 429 },
      { status: 429 },
      good,
    ])
    const times: number[] = []
    const began = clock.now()
    const client = openClient(server.url, {
      clock,
      pauseMs: 1_000,
      onCall: () => void times.push(clock.now() - began),
    })
    await readPage(client.users())
    expect(times).toEqual([0, 30_000, 30_000 + 120_000, 30_000 + 120_000 + 240_000])
  })

  test.each(['Fri, 31 Dec 2060 23:59:59 GMT', '99999999999'])(
    'waits an hour at most when the platform asks for a pause until %s',
    async (retryAfter) => {
      const clock = createTurnedClock()
      const server = await serve([{ status: 429, headers: { 'retry-after': retryAfter } }, good])
      const began = clock.now()
      await readPage(openClient(server.url, { clock }).users())
      expect(clock.now() - began).toBe(3_600_000)
    },
  )

  test('stops at once when it is no longer wanted, or the client is closed', async () => {
    const server = await serve([{ silent: true }])
    const client = openClient(server.url)
    const asked = readPage(client.users({ signal: AbortSignal.timeout(50) }))
    await expect(asked).rejects.toMatchObject({ code: 'STOPPED' })
    const other = readPage(client.users())
    await client.close()
    await expect(other).rejects.toMatchObject({ code: 'STOPPED' })
    await expect(readPage(client.users())).rejects.toMatchObject({ code: 'STOPPED' })
  })
})

describe('a POST', () => {
  const order = { guideId: 'g1', userId: '7' }

  test.each([
    ['FAILED', { status: 500 }],
    ['TIMED_OUT', { silent: true }],
    ['UNREACHABLE', { cut: 'instead' }],
  ] satisfies [string, Answered][])(
    'is never sent again when nobody knows whether it happened: %s',
    async (code, fault) => {
      const server = await serve([fault])
      const client = openClient(server.url, { timeoutMs: toTimeout(fault, 300) })
      // Of one that is given up after so short a time the server may not have heard yet.
      for (let n = 1; server.calls.length === 0; n++) {
        const asked = client.createGuideAssignment({ ...order, guideId: `g${n}` })
        await expect(asked).rejects.toMatchObject({ code, mayHaveHappened: true, isRetryable: false })
      }
      expect(server.calls).toEqual([...new Set(server.calls)])
      expect(server.calls[0]).toMatch(/^POST \/api\/v1\/guides\/g\d+\/assignments$/)
      expect(server.headers[0]?.['content-type']).toBe('application/json')
      expect(JSON.parse(server.bodies[0] ?? '')).toEqual({ userId: '7' })
    },
  )

  test('is sent again when it was surely not carried out: too many calls', async () => {
    const server = await serve([
      { status: 429 },
      { status: 201, json: { id: 'a1', user_id: 7, course_id: 'g1' } },
    ])
    expect(await openClient(server.url).createGuideAssignment(order)).toMatchObject({
      id: 'a1',
      userId: '7',
      guideId: 'g1',
    })
    expect(server.calls).toHaveLength(2)
  })

  test.each([
    ['half an answer', { status: 201, json: { id: 'a1' }, cut: 'middle' }],
    ['no JSON', { status: 200, text: 'OK' }],
    ['nothing', { status: 204 }],
  ] satisfies [string, Answered][])(
    'counts as done when the platform says so and then %s',
    async (_, answer) => {
      const server = await serve([answer])
      expect(await openClient(server.url).createGuideAssignment(order)).toBeUndefined()
      expect(server.calls).toHaveLength(1)
    },
  )
})
