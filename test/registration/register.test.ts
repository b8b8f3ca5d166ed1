import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { assignmentEventTypes } from '../../schemas/webhook/event.ts'
import type { RegisterOptions } from '../../services/registration/registration.ts'
import { registerWebhook } from '../../services/registration/register.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
import { openTestIngest, otherToken, token as live } from '../ingest/ingest.ts'
import { openTestClient } from './client.ts'

const from = Date.UTC(2026, 4, 4, 6)
const revokedToken = 'revoked-token-of-last-year-0123456789abcdef'
const open: { close(): Promise<void> }[] = []

const ingest = await openTestIngest()
afterAll(() => ingest.dispose())
const toUrl = (token: string) => `${ingest.url}/webhooks/${token}`

afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
})

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({
    seed: 'register',
    from,
    to: from,
    people: 20,
    tokens: ['good'],
    ...options,
  })
  open.push(platform)
  return platform
}

function register(platform: Platform, options: Partial<RegisterOptions> & { token?: string } = {}) {
  const client = openTestClient(platform.baseUrl, options.token ?? 'good')
  open.push(client)
  const url = toUrl(live)
  return registerWebhook({ client, url, mode: 'register', platformUrl: platform.baseUrl, ...options })
}

const kindsOf = ({ findings }: { findings: { kind: string }[] }) => findings.map(({ kind }) => kind)

describe('registering', () => {
  test('subscribes our address to the challenge events, once, however often it is done', async () => {
    const platform = await start()
    const first = await register(platform)
    expect(first).toMatchObject({
      outcome: 'registered',
      findings: [],
      error: null,
      changes: [{ kind: 'created' }],
    })
    const again = await register(platform)
    expect(again).toMatchObject({ outcome: 'registered', changes: [], subscriptionId: first.subscriptionId })
    expect(platform.subscriptions.list()).toEqual([
      expect.objectContaining({
        id: first.subscriptionId,
        name: 'Rollcall',
        url: toUrl(live),
        eventTypes: assignmentEventTypes,
      }),
    ])
  })

  test('by checking only, changes nothing and says what is missing', async () => {
    const platform = await start()
    const result = await register(platform, { mode: 'check' })
    expect(result).toMatchObject({ outcome: 'problems', subscriptionId: null, changes: [] })
    expect(result.findings).toEqual([
      expect.objectContaining({ kind: 'not_registered', severity: 'problem', fixedBy: 'register' }),
    ])
    expect(platform.calls.list().map(({ method }) => method)).toEqual(['GET'])
  })

  test('adds the event types that are missing and keeps the others', async () => {
    const platform = await start()
    const eventTypes = ['userDeleted', 'assignmentCreated.challenge']
    const { id } = platform.subscriptions.add({ name: 'by hand', url: toUrl(live), eventTypes }, from)
    expect(kindsOf(await register(platform, { mode: 'check' }))).toEqual(['missing_event_types'])
    expect(await register(platform)).toMatchObject({
      outcome: 'registered',
      subscriptionId: id,
      changes: [{ kind: 'event_types_added' }],
    })
    expect(platform.subscriptions.get(id)?.eventTypes.toSorted()).toEqual(
      [...new Set([...eventTypes, ...assignmentEventTypes])].sort(),
    )
  })

  test('finds the same address twice and an old one whose token is refused, and removes them only when asked', async () => {
    const platform = await start()
    const add = (name: string, token: string, eventTypes: string[] = []) =>
      platform.subscriptions.add({ name, url: toUrl(token), eventTypes }, from).id
    const poor = add('copy', live, ['assignmentCreated.challenge'])
    const good = add('Rollcall', live)
    const revoked = add('last year', revokedToken)
    const second = add('rotation', otherToken)
    const foreign = platform.subscriptions.add(
      { name: 'crm', url: 'https://crm.example.com/hook', eventTypes: [] },
      from,
    )
    const found = await register(platform)
    expect(found).toMatchObject({ outcome: 'problems', subscriptionId: good, changes: [] })
    expect(found.findings).toEqual([
      expect.objectContaining({ kind: 'duplicate', subscriptionId: poor, fixedBy: 'fix' }),
      expect.objectContaining({ kind: 'refused_address', subscriptionId: revoked, fixedBy: 'fix' }),
      expect.objectContaining({ kind: 'other_address', subscriptionId: second, severity: 'note' }),
    ])
    expect(platform.subscriptions.list()).toHaveLength(5)
    const fixed = await register(platform, { mode: 'fix' })
    expect(fixed).toMatchObject({ outcome: 'registered', subscriptionId: good })
    expect(fixed.changes.map(({ kind, subscriptionId }) => [kind, subscriptionId])).toEqual([
      ['removed', poor],
      ['removed', revoked],
    ])
    expect(platform.subscriptions.list().map(({ id }) => id)).toEqual([good, second, foreign.id])
  })

  test('never tells a token, neither in what it finds nor in its steps', async () => {
    const platform = await start()
    platform.subscriptions.add({ name: 'copy', url: toUrl(live), eventTypes: ['x'] }, from)
    platform.subscriptions.add({ name: 'old', url: toUrl(revokedToken), eventTypes: [] }, from)
    const lacking = await start({ absent: ['webhook_subscriptions'] })
    for (const result of [await register(platform, { mode: 'fix' }), await register(lacking)]) {
      for (const token of [live, revokedToken]) expect(JSON.stringify(result)).not.toContain(token)
    }
  })
})

describe('a platform without the endpoint', () => {
  test('is registered by hand: the steps are given, and the way into the store is checked all the same', async () => {
    const platform = await start({ absent: ['webhook_subscriptions'] })
    const result = await register(platform, {
      checkDelivery: async () => ({ outcome: 'stored', receipt: 'r', tookMs: 3 }),
    })
    expect(result).toMatchObject({ outcome: 'manual', delivery: { outcome: 'stored' }, error: null })
    expect(result.manualSteps.length).toBeGreaterThan(3)
    expect(result.manualSteps.join(' ')).toContain(assignmentEventTypes.join(', '))
  })
})

describe('what goes wrong', () => {
  test('with the token is said with its cause, and nothing is tried', async () => {
    const platform = await start({ forbiddenTokens: ['dead'] })
    const unknown = await register(platform, { token: 'unknown' })
    expect(unknown).toMatchObject({ outcome: 'failed', error: { code: 'UNAUTHORIZED' } })
    const dead = await register(platform, { token: 'dead' })
    expect(dead).toMatchObject({ outcome: 'failed', error: { code: 'FORBIDDEN' } })
    expect(platform.subscriptions.list()).toEqual([])
  })

  test.each(['failing', 'cut', 'truncated', 'garbled'] as const)(
    'after the subscription was made (%s) does not make a second one',
    async (fault) => {
      const platform = await start()
      platform.apiFaults.next({ fault, method: 'POST', carriedOut: true })
      expect(await register(platform)).toMatchObject({
        outcome: 'registered',
        changes: [{ kind: 'created' }],
      })
      expect(platform.subscriptions.list()).toHaveLength(1)
    },
  )

  test('reports a failure before the creation, and the next try creates one', async () => {
    const platform = await start()
    platform.apiFaults.next({ fault: 'failing', method: 'POST', carriedOut: false })
    expect(await register(platform)).toMatchObject({
      outcome: 'failed',
      error: { code: 'FAILED' },
      changes: [],
    })
    expect(await register(platform)).toMatchObject({ outcome: 'registered', changes: [{ kind: 'created' }] })
    expect(platform.subscriptions.list()).toHaveLength(1)
  })

  test('with the address itself is found before the platform is given it', async () => {
    const platform = await start()
    const platformUrl = 'https://learning.example.com'
    const local = await register(platform, { platformUrl })
    expect(kindsOf(local)).toEqual(['private_address', 'not_registered'])
    for (const host of [
      'rollcall.example.com',
      'fc.example.com',
      '10.example.com',
      '127.0.0.1.example.com',
    ]) {
      const plain = await register(platform, { url: `http://${host}/webhooks/${live}`, platformUrl })
      expect(kindsOf(plain), host).toEqual(['plain_http', 'not_registered'])
    }
    for (const host of ['127.0.0.2', '10.1.2.3', '172.16.0.1', '[::1]', '[::]', '[fd00::1]']) {
      const inside = await register(platform, { url: `https://${host}/webhooks/${live}`, platformUrl })
      expect(kindsOf(inside), host).toEqual(['private_address', 'not_registered'])
    }
    expect(platform.subscriptions.list()).toEqual([])
  })
})
