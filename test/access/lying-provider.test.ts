/** A provider that answers with tokens it must not: each is refused, whatever it says of who signed in. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOidc, type Flight, type Oidc } from '../../services/access/oidc.ts'

const clientSecret = 'a client secret that is long enough for HS256'
const honest = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rotated = generateKeyPairSync('rsa', { modulusLength: 2048 })

let server: Server
let issuer: string
let oidc: Oidc
let keys: JWK[]
/** The ID token in the answer of the token endpoint. */
let toIdToken: (claims: JWTPayload) => Promise<string>

const toJwk = async (key: KeyObject, kid: string): Promise<JWK> => ({
  ...(await exportJWK(key)),
  kid,
  alg: 'RS256',
  use: 'sig',
})
const sign = (key: KeyObject, claims: JWTPayload, header: Record<string, unknown> = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'honest', ...header }).sign(key)

beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = (body: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration') {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        // It offers everything, the bad ways, too.
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      })
    }
    if (request.url === '/keys') return answer({ keys })
    void toIdToken(toClaims()).then((id_token) =>
      answer({ access_token: 'x', token_type: 'Bearer', id_token }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

let flight: Flight
beforeEach(async () => {
  keys = [await toJwk(honest.publicKey, 'honest')]
  oidc = createOidc({
    issuer,
    clientId: 'rollcall',
    clientSecret,
    redirectUri: 'http://127.0.0.1:1/sign-in/callback',
    scopes: 'openid email',
    groupsClaim: 'groups',
    userIdClaim: undefined,
    email: 'verified',
  })
  flight = (await oidc.start('/')).flight
})

function toClaims(): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    aud: 'rollcall',
    sub: 'olga',
    email: 'olga@example.com',
    email_verified: true,
    nonce: flight.nonce,
    iat: now,
    exp: now + 300,
  }
}

const land = () =>
  oidc.finish(new URL(`http://127.0.0.1:1/sign-in/callback?code=c&state=${flight.state}`), flight)

test('an honest token is taken', async () => {
  toIdToken = (claims) => sign(honest.privateKey, claims)
  expect(await land()).toMatchObject({ subject: 'olga', email: 'olga@example.com' })
})

test('a provider may change its key', async () => {
  keys = [await toJwk(rotated.publicKey, 'rotated')]
  toIdToken = (claims) => sign(rotated.privateKey, claims, { kid: 'rotated' })
  expect(await land()).toMatchObject({ subject: 'olga' })
})

const publicPem = Buffer.from(honest.publicKey.export({ type: 'spki', format: 'pem' }))
const attacker = 'http://127.0.0.1:9/keys'

test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
  ['alg none', (claims) => new UnsecuredJWT(claims).encode()],
  ['alg none, with a signature', async (claims) => `${new UnsecuredJWT(claims).encode()}c2lnbmF0dXJl`],
  [
    'HS256 with the client secret',
    (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret)),
  ],
  [
    'HS256 with the public key as the secret',
    (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'honest' }).sign(publicPem),
  ],
  ['another key under the known name', (claims) => sign(foreign.privateKey, claims)],
  ['another key under its own name', (claims) => sign(foreign.privateKey, claims, { kid: 'foreign' })],
  [
    'a key that the token brings itself (jwk)',
    async (claims) => sign(foreign.privateKey, claims, { jwk: await exportJWK(foreign.publicKey) }),
  ],
  [
    'an address of keys that the token brings (jku)',
    (claims) => sign(foreign.privateKey, claims, { jku: attacker }),
  ],
  [
    'a certificate address that the token brings (x5u)',
    (claims) => sign(foreign.privateKey, claims, { x5u: attacker }),
  ],
  ['a cut signature', async (claims) => (await sign(honest.privateKey, claims)).slice(0, -8)],
  ['no signature', async (claims) => (await sign(honest.privateKey, claims)).replace(/[^.]+$/, '')],
  [
    'claims of another token under a good signature',
    async (claims) => {
      const [header, , signature] = (await sign(honest.privateKey, claims)).split('.')
      const payload = Buffer.from(JSON.stringify({ ...claims, email: 'owner@example.com' })).toString(
        'base64url',
      )
      return `${header}.${payload}.${signature}`
    },
  ],
  ['no token at all', () => ''],
  ['a text that is no token', () => createHash('sha256').update('x').digest('hex')],
])('%s is refused', async (_, make) => {
  toIdToken = async (claims) => make(claims)
  await expect(land()).rejects.toMatchObject({ code: 'refused' })
})

test.each<[string, (claims: JWTPayload) => JWTPayload]>([
  ['dated an hour ahead', (claims) => ({ ...claims, iat: claims.iat! + 3_600, exp: claims.exp! + 3_600 })],
  ['over', (claims) => ({ ...claims, iat: claims.iat! - 3_600, exp: claims.exp! - 3_600 })],
  ['not valid yet', (claims) => ({ ...claims, nbf: claims.iat! + 3_600 })],
  ['for another application', (claims) => ({ ...claims, aud: 'other' })],
  ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
  ['of another sign-in', (claims) => ({ ...claims, nonce: 'other' })],
  ['without a person', (claims) => ({ ...claims, sub: undefined }) as unknown as JWTPayload],
])('a well-signed token that is %s is refused', async (_, change) => {
  toIdToken = (claims) => sign(honest.privateKey, change(claims))
  await expect(land()).rejects.toMatchObject({ code: 'refused' })
})
