/** Sign-in at an OpenID provider: code flow with PKCE, state and nonce, by the certified openid-client. */
import * as openid from 'openid-client'
import { z } from 'zod'
import { hold } from '../runtime/hold.ts'
import { isLoopback } from '../runtime/http/known-hosts.ts'

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** Where the provider sends people back to. */
  redirectUri: string
  scopes: string
  groupsClaim: string
  /** Claim with the person's id at the platform. */
  userIdClaim: string | undefined
  /** `assumed`: the provider's e-mails are believed without `email_verified`. */
  email: 'verified' | 'assumed'
  /** Where the provider sends people after signing out there. Left out: people sign out here only. */
  signedOutUri?: string
}

export type OidcPerson = { subject: string; email: string; groups: string[]; userId: string }

/** The values kept, sealed, between leaving for the provider and coming back. */
export const flightSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
})
export type Flight = z.infer<typeof flightSchema>

export class OidcError extends Error {
  override readonly name = 'OidcError'
  /** `away`: the provider does not answer. `refused`: its answer does not hold. */
  readonly code: 'away' | 'refused'
  constructor(code: OidcError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export type Oidc = ReturnType<typeof createOidc>

/** Clocks of two servers may differ by this much. */
const clockToleranceSeconds = 30
/** The provider's keys and addresses are read again after this. */
const discoveryMaxAgeMs = 60 * 60_000

export function createOidc(settings: OidcSettings, clock: () => number = Date.now) {
  const { issuer, clientId, clientSecret, redirectUri, scopes } = settings
  const discovered = hold(discover, clock, discoveryMaxAgeMs)

  async function discover(): Promise<openid.Configuration> {
    const server = new URL(issuer)
    // Plain HTTP is for a provider on this machine only, as in tests.
    const isPlain = server.protocol === 'http:' && isLoopback(server.hostname)
    const config = await openid.discovery(
      server,
      clientId,
      { [openid.clockTolerance]: clockToleranceSeconds, [openid.clockSkew]: toSkewSeconds(clock) },
      clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret),
      {
        timeout: 10,
        // The library checks no signature of an ID token that came straight from the provider, unless it is told to.
        execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
      },
    )
    const metadata = config.serverMetadata()
    if (metadata.supportsPKCE() || metadata.code_challenge_methods_supported === undefined) return config
    throw new OidcError('refused', 'The sign-in provider does not support PKCE (S256)')
  }

  const configuration = () =>
    discovered.read().catch((cause: unknown) => {
      throw toOidcError(cause)
    })

  return {
    async start(back: string) {
      const config = await configuration()
      const flight: Flight = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        back,
      }
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes,
        response_type: 'code',
        code_challenge: await openid.calculatePKCECodeChallenge(flight.verifier),
        code_challenge_method: 'S256',
        state: flight.state,
        nonce: flight.nonce,
      })
      return { url, flight }
    },
    /** Where the session at the provider is ended; `null`: not there, or not by us. */
    async signOutUrl(): Promise<URL | null> {
      if (settings.signedOutUri === undefined) return null
      const config = await configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: settings.signedOutUri })
    },
    async finish(currentUrl: URL, { state, nonce, verifier }: Flight): Promise<OidcPerson> {
      const config = await configuration()
      // The address as the provider knows it, whatever name a proxy forwards.
      const url = new URL(redirectUri)
      url.search = currentUrl.search
      try {
        const tokens = await openid.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims: Record<string, unknown> = { ...tokens.claims() }
        if (Number(claims['iat']) * 1000 > clock() + clockToleranceSeconds * 1000) {
          throw new OidcError('refused', 'The sign-in provider dates its token ahead of the clock here')
        }
        const subject = typeof claims['sub'] === 'string' ? claims['sub'] : ''
        if (subject === '') throw new OidcError('refused', 'The sign-in provider did not say who signed in')
        // Many providers put e-mail and groups into userinfo only.
        const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
        const more = hasUserInfo ? await openid.fetchUserInfo(config, tokens.access_token, subject) : {}
        return toPerson({ ...more, ...claims, sub: subject }, settings)
      } catch (cause) {
        throw toOidcError(cause)
      }
    },
  }
}

function toPerson(claims: Record<string, unknown>, settings: OidcSettings): OidcPerson {
  const email = typeof claims['email'] === 'string' ? claims['email'] : ''
  // Some send it as text.
  const isVerified = [true, 'true'].includes(claims['email_verified'] as string | boolean)
  const groups = z.array(z.string()).safeParse([claims[settings.groupsClaim] ?? []].flat()).data ?? []
  const userId = settings.userIdClaim === undefined ? undefined : claims[settings.userIdClaim]
  return {
    subject: String(claims['sub']),
    email: isVerified || settings.email === 'assumed' ? email : '',
    groups,
    userId: typeof userId === 'string' || typeof userId === 'number' ? String(userId) : '',
  }
}

/** Tests own the clock: the library asks the machine's. */
function toSkewSeconds(clock: () => number): number {
  const skew = Math.round((clock() - Date.now()) / 1000)
  return Math.abs(skew) < 2 ? 0 : skew
}

/** Nothing of the answer is quoted: it may hold tokens. */
function toOidcError(cause: unknown): OidcError {
  if (cause instanceof OidcError) return cause
  return isAway(cause)
    ? new OidcError('away', 'The sign-in provider does not answer', { cause })
    : new OidcError('refused', 'The sign-in did not hold', { cause })
}

function isAway(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500
  if (!(error instanceof Error)) return false
  return ['TypeError', 'TimeoutError', 'AbortError'].includes(error.name) || isAway(error.cause)
}
