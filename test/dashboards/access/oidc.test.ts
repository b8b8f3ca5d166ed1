/** Signing in at an OpenID provider. The provider is a fake one: the tests say what it answers, and it may lie. */
import { createHash, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
import { findFreePort } from '../../support/processes/ports.ts'
import { foreignTeam, manager, openCompany } from './company.ts'

const hour = 3_600_000
const base = 'http://localhost'
const clientSecret = 'a secret of the test: with odd /+ characters'
const callback = `${base}/sign-in/callback`
/** A page that asks the store for little: most tests are about who gets in, not about the content. */
const plainPage = '/help'

const [honest, foreign, rotated] = [1, 2, 3].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
if (honest === undefined || foreign === undefined || rotated === undefined) throw new Error('no keys')
const toJwk = async (key: KeyObject, kid: string): Promise<JWK> => ({
  ...(await exportJWK(key)),
  kid,
  alg: 'RS256',
  use: 'sig',
})
const sign = (key: KeyObject, claims: JWTPayload, header: Record<string, unknown> = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'honest', ...header }).sign(key)

type Grant = { email: string; nonce: string; challenge: string }

/** How far each clock is ahead of the machine's. */
let [aheadMs, providerAheadMs] = [0, 0]
let keys: JWK[] = []
let toIdToken: (claims: JWTPayload) => Promise<string> | string
const grants = new Map<string, Grant>()

function groupsOf(email: string): string[] {
  if (email === manager.email) return ['managers']
  if (email.startsWith('wanda')) return ['managers', 'watchers']
  return email.startsWith('rita') ? ['watchers', 'readers'] : []
}

async function answer(request: IncomingMessage): Promise<object | null> {
  const { url = '', headers } = request
  if (url === '/.well-known/openid-configuration')
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/session/end`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      // It offers everything, the bad ways, too.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }
  if (url === '/keys') return { keys }
  if (url === '/userinfo') {
    const email = (headers.authorization ?? '').replace('Bearer ', '')
    return { sub: email, email, email_verified: !email.startsWith('unverified'), groups: groupsOf(email) }
  }
  const form = new URLSearchParams(await text(request))
  const [code, verifier] = [form.get('code') ?? '', form.get('code_verifier') ?? '']
  const grant = grants.get(code)
  grants.delete(code)
  const [client, secret] = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
    .toString()
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  const isKnown = client === 'rollcall' && secret === clientSecret && form.get('redirect_uri') === callback
  const isBound = createHash('sha256').update(verifier).digest('base64url') === grant?.challenge
  if (grant === undefined || !isKnown || !isBound) return null
  const now = Math.floor((Date.now() + providerAheadMs) / 1_000)
  const claims = {
    iss: issuer,
    aud: 'rollcall',
    sub: grant.email,
    nonce: grant.nonce,
    iat: now,
    exp: now + 300,
  }
  return { access_token: grant.email, token_type: 'Bearer', id_token: await toIdToken(claims) }
}

// No connection takes it while a test has closed the server.
const port = await findFreePort()
const server = createServer((request, response) => {
  void answer(request).then((body) => {
    response.setHeader('content-type', 'application/json').statusCode = body === null ? 400 : 200
    response.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
  })
}).listen(port, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${port}`

const company = await openCompany({
  clock: () => Date.now() + aheadMs,
  env: {
    DASHBOARD_AUTH: 'oidc',
    DASHBOARD_URL: base,
    DASHBOARD_OWNERS: 'olga@example.com',
    DASHBOARD_ROLES: 'analyst=readers,analyst=watchers,manager=managers',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'rollcall',
    OIDC_CLIENT_SECRET: clientSecret,
  },
})
// As behind a balancer: the provider may send people back to another process than the one that sent them there.
const other = await company.openAnother()
afterAll(async () => {
  await company.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  aheadMs = providerAheadMs = 0
  keys = [await toJwk(honest.publicKey, 'honest')]
  toIdToken = (claims) => sign(honest.privateKey, claims)
})

/** The cookies of one browser. */
function openBrowser(cookies = new Map<string, string>()) {
  async function visit(path: string, method = 'GET'): Promise<Response> {
    const app = path.startsWith('/sign-in/callback') ? other : company.app
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.request(`${base}${path}`, { method, headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  /** The way to the provider and, as this person, back: the path to which the provider sends the browser. */
  async function leave(email: string, path = plainPage): Promise<string> {
    const start = await visit(`/sign-in/start?${new URLSearchParams({ back: path }).toString()}`)
    const asked = new URL(start.headers.get('location') ?? '').searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'rollcall',
      redirect_uri: callback,
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    const [code, get] = [randomUUID(), (name: string) => asked.get(name) ?? '']
    grants.set(code, { email, nonce: get('nonce'), challenge: get('code_challenge') })
    return `/sign-in/callback?${new URLSearchParams({ code, state: get('state') }).toString()}`
  }
  const signIn = async (email: string, path = plainPage) => visit(await leave(email, path))
  const status = async (path: string) => (await visit(path)).status
  return { cookies, visit, leave, signIn, status }
}

const isIn = (browser: ReturnType<typeof openBrowser>) => browser.cookies.has('rollcall_session')

test('a manager signs in, lands where she wanted to go, sees her people, and signs out here and there', async () => {
  const browser = openBrowser()
  const asked = await browser.visit('/assignments?status=overdue')
  expect(asked.headers.get('location')).toBe(
    `/sign-in?back=${encodeURIComponent('/assignments?status=overdue')}`,
  )
  expect(await (await browser.visit('/sign-in')).text()).toContain('Sign in with your organisation')
  const landed = await browser.signIn(manager.email, '/assignments?status=overdue')
  expect([landed.status, landed.headers.get('location')]).toEqual([303, '/assignments?status=overdue'])
  const [session = ''] = landed.headers.getSetCookie().filter((each) => each.startsWith('rollcall_session='))
  expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/)
  expect(await (await browser.visit('/')).text()).not.toContain(foreignTeam.name)
  expect(await (await browser.visit('/api/metrics')).json()).toMatchObject({
    metrics: { assigned: { value: 2 } },
  })
  expect(await browser.status('/access')).toBe(403)

  const kept = new Map(browser.cookies)
  const out = await browser.visit('/sign-out', 'POST')
  expect(isIn(browser)).toBe(false)
  const there = new URL((out.headers.get('refresh') ?? '').replace('0;url=', ''))
  expect([there.origin, there.searchParams.get('post_logout_redirect_uri')]).toEqual([
    issuer,
    `${base}/sign-in`,
  ])
  // The old cookie is worth nothing, also to someone who copied it.
  expect(await openBrowser(kept).status('/api/metrics')).toBe(401)
})

test.each([
  ['olga@example.com', 'the list of owners', 200, 200],
  ['rita@example.com', 'groups', 200, 403],
  ['nora@example.com', 'nothing', 403, 403],
  ['wanda@example.com', 'the first group with a rule', 200, 403],
  // The subject is the same text here, and is not an email either.
  ['unverified@example.com', 'an email that is not verified', 403, 403],
])('%s has the role of %s', async (login, _, numbers, access) => {
  const person = { role: 'owner', names: true, userId: '', by: 'test', address: '' }
  if (login.startsWith('unverified')) await company.changes.setPerson({ login, ...person })
  const browser = openBrowser()
  await browser.signIn(login)
  expect([await browser.status('/api/assignments'), await browser.status('/access')]).toEqual([
    numbers,
    access,
  ])
  if (numbers === 403)
    expect(await (await browser.visit('/')).text()).toContain(
      'none of the roles that there are: owner, analyst, manager',
    )
})

test('a session ends after its hours, and everywhere when an owner says so', async () => {
  const browser = openBrowser()
  await browser.signIn(manager.email)
  for (aheadMs of [16 * 60_000, 11 * hour]) expect(await browser.status(plainPage)).toBe(200)
  aheadMs = 12 * hour + 60_000
  expect((await browser.visit(plainPage)).headers.get('location')).toBe(
    `/sign-in?back=${encodeURIComponent(plainPage)}`,
  )
  aheadMs = 0
  const again = openBrowser()
  await again.signIn(manager.email)
  aheadMs = 2_000
  await company.changes.signOutEverywhere({ login: manager.email, by: 'olga@example.com', address: '' })
  expect(await again.status('/api/metrics')).toBe(401)
})

test('the cookie of a person who was blocked and then erased opens nothing', async () => {
  const browser = openBrowser()
  const login = 'rita-gone@example.com'
  await browser.signIn(login)
  expect(await browser.status('/api/metrics')).toBe(200)
  const person = { role: 'nobody', names: false, userId: '', by: 'test', address: '' }
  await company.changes.setPerson({ login, ...person })
  expect(await browser.status('/api/metrics')).toBe(401)
  await forgetAccess(company.store.writer, 'x-900', [login])
  company.access.state.forget()
  expect((await company.access.store.readPeople()).some((each) => each.login === login)).toBe(false)
  expect(await browser.status('/api/metrics')).toBe(401)
})

test('a sign-in cannot be replayed: not in the same browser, not in another, not with a copied cookie', async () => {
  const browser = openBrowser()
  const landing = await browser.leave(manager.email)
  const copied = openBrowser(new Map(browser.cookies))
  expect((await browser.visit(landing)).status).toBe(303)
  for (const again of [browser, copied, openBrowser()]) {
    const refused = await again.visit(landing)
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('did not succeed')])
  }
  expect([isIn(copied), (await openBrowser().visit(await browser.leave(manager.email))).status]).toEqual([
    false,
    401,
  ])
})

test('tabs sign in at the same time, each where it wanted to go, unless no cookie can hold that', async () => {
  const wanted = { '/help': '/help', '/data': '/data', [`/help?x=${'a'.repeat(3_000)}`]: '/' }
  const browser = openBrowser()
  const landings: string[] = []
  for (const path of Object.keys(wanted)) landings.push(await browser.leave(manager.email, path))
  const landed: (string | null)[] = []
  for (const landing of landings) landed.push((await browser.visit(landing)).headers.get('location'))
  expect(landed).toEqual(Object.values(wanted))
  expect([...browser.cookies.keys()].filter((name) => name.includes('flight'))).toEqual([])
})

test('clocks may differ a little, and not by hours', async () => {
  for (const [ahead, status] of [
    [20_000, 303],
    [2 * hour, 401],
    [-2 * hour, 401],
  ] as const) {
    aheadMs = ahead
    expect([ahead, (await openBrowser().signIn(manager.email)).status]).toEqual([ahead, status])
  }
})

test('a provider may change its key', async () => {
  await openBrowser().signIn(manager.email)
  aheadMs = providerAheadMs = 2 * hour
  keys = [await toJwk(rotated.publicKey, 'rotated')]
  toIdToken = (claims) => sign(rotated.privateKey, claims, { kid: 'rotated' })
  expect((await openBrowser().signIn(manager.email)).status).toBe(303)
})

test('while the provider is away, people who are in stay in, and others are told so', async () => {
  const browser = openBrowser()
  await browser.signIn(manager.email)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(await browser.status(plainPage)).toBe(200)
  // The answer of discovery is known for an hour.
  aheadMs = 2 * hour
  const refused = await openBrowser().visit('/sign-in/start')
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('does not answer')])
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
})

const publicPem = Buffer.from(honest.publicKey.export({ type: 'spki', format: 'pem' }))
const withHonestKey = (change: (claims: JWTPayload) => JWTPayload) => (claims: JWTPayload) =>
  sign(honest.privateKey, change(claims))
const shifted = (by: number) =>
  withHonestKey(({ iat = 0, exp = 0, ...claims }) => ({ ...claims, iat: iat + by, exp: exp + by }))

test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
  ['alg none', (claims) => new UnsecuredJWT(claims).encode()],
  [
    'HS256 with the public key as the secret',
    (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'honest' }).sign(publicPem),
  ],
  ['another key under the known name', (claims) => sign(foreign.privateKey, claims)],
  [
    'a key that the token brings itself (jwk)',
    async (claims) => sign(foreign.privateKey, claims, { jwk: await exportJWK(foreign.publicKey) }),
  ],
  ['no signature', async (claims) => (await sign(honest.privateKey, claims)).replace(/[^.]+$/, '')],
  [
    'claims of another token under a good signature',
    async (claims) => {
      const [header, , signature] = (await sign(honest.privateKey, claims)).split('.')
      const payload = JSON.stringify({ ...claims, email: 'olga@example.com' })
      return `${header}.${Buffer.from(payload).toString('base64url')}.${signature}`
    },
  ],
  ['no token at all', () => ''],
  ['a token that is dated an hour ahead', shifted(3_600)],
  ['a token that has expired', shifted(-3_600)],
  [
    'a token that is not valid yet',
    withHonestKey(({ iat = 0, ...claims }) => ({ ...claims, iat, nbf: iat + 3_600 })),
  ],
  ['a token for another application', withHonestKey((claims) => ({ ...claims, aud: 'other' }))],
  ['a token of another issuer', withHonestKey((claims) => ({ ...claims, iss: 'https://evil.example' }))],
  ['a token of another sign-in', withHonestKey((claims) => ({ ...claims, nonce: 'other' }))],
  ['a token without a person', withHonestKey((claims) => ({ ...claims, sub: '' }))],
  [
    'a token of another person than userinfo',
    withHonestKey((claims) => ({ ...claims, sub: 'olga@example.com' })),
  ],
])('%s is refused', async (_, lie) => {
  toIdToken = lie
  const browser = openBrowser()
  const refused = await browser.signIn(manager.email)
  expect([refused.status, isIn(browser)]).toEqual([401, false])
  expect(await refused.text()).toContain('did not succeed')
})
