/** How people come in: the way to sign in, and what decides about them. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { createAccess, toAccessSettings } from '../../services/access/access.ts'
import { createAccessStore } from '../../services/access/access-store.ts'
import { createViews } from '../../services/saved-views/saved-views.ts'
import { createTargets } from '../../services/targets/targets.ts'
import { createNotes } from '../../services/notes/notes.ts'
import { createOidc, type Oidc } from '../../services/access/oidc.ts'
import { createSeals, readOrMakeSecret } from '../../services/access/session-cookie.ts'
import { asksToSignIn, type Config } from '../../services/config/config.ts'
import { StartError } from '../../services/config/start-error.ts'
import { createMailer, type Mail, type MailOutcome } from '../../digest/sending/mailer.ts'
import { createAccessChanges } from '../../services/access/changes.ts'
import { createPasswordLinks, type PasswordLinks, linkHours } from '../../services/access/password-links.ts'
import { isLoopback } from '../../services/runtime/http/known-hosts.ts'
import type { Context } from 'hono'
import { toPasswordMail, type SentBy } from '../../digest/mail/password-mail.ts'
import { isAddress } from '../../services/config/values/address.ts'

export type SignInMode = 'none' | 'password' | 'oidc' | 'proxy'

/** The parts that signing in with passwords needs. */
export type Passwords = {
  links: PasswordLinks
  site: string | undefined
  /** Left out: there is no mail server. */
  send?: ((mail: Mail) => Promise<MailOutcome>) | undefined
}

export type Entrance = ReturnType<typeof openEntrance>

export type OpenEntranceOptions = {
  config: Config
  reader: ClickHouseClient
  /** May insert into the tables `access_...`. */
  writer: ClickHouseClient
  onError: (error: unknown) => void
  /** Epoch ms. Default: the machine's clock. */
  clock?: () => number
}

/** Refuses to show names and grades to everybody by mistake. For mains, before they open anything. */
export function checkSignIn({ dashboardAuth, host, sqlPort }: Config): void {
  if (sqlPort !== undefined && !isLoopback(host) && !asksToSignIn(dashboardAuth)) {
    throw new StartError(
      `SQL_PORT would be open to everybody who reaches ${host}. Set DASHBOARD_AUTH to password, oidc or proxy ` +
        '(docs/access.md), or HOST=127.0.0.1.',
    )
  }
  if (dashboardAuth !== 'none' || isLoopback(host)) return
  throw new StartError(
    `The dashboards would be open to everybody who reaches ${host}: names, grades and lateness. Set DASHBOARD_AUTH to ` +
      'password, oidc or proxy (docs/access.md), HOST=127.0.0.1, or DASHBOARD_AUTH=none-and-i-know.',
  )
}

export function openEntrance({ config, reader, writer, onError, clock = Date.now }: OpenEntranceOptions) {
  checkSignIn(config)
  const { dashboardAuth, dashboardUrl, dashboardSessionSecrets, dataDir } = config
  const mode: SignInMode = dashboardAuth === 'none-and-i-know' ? 'none' : dashboardAuth
  const isSecure = dashboardUrl?.startsWith('https:') ?? false
  const audiences = { managerSees: config.dashboardManagerSees }
  const store = createAccessStore({ reader, writer, clock })
  const access = createAccess({
    store,
    seals: createSeals(dashboardSessionSecrets ?? [toOwnSecret(mode, dataDir)], clock),
    settings: toAccessSettings(config),
    clock,
    onError,
  })
  const changes = createAccessChanges(access)
  const passwords: Passwords = {
    links: createPasswordLinks(access, changes),
    site: dashboardUrl,
    send: toSend(config),
  }
  return {
    mode,
    access,
    changes,
    views: createViews({ store, clock }),
    notes: createNotes(access),
    targets: createTargets(access),
    audiences,
    /** Proxies whose `X-Forwarded-For` says who sends. */
    trustedProxies: config.dashboardTrustedProxies,
    /** The headers of a proxy that signs people in. */
    headers: { user: config.dashboardProxyUserHeader, groups: config.dashboardProxyGroupsHeader },
    isSecure,
    /** Where people open the dashboards, for links. Left out: as the request says. */
    url: dashboardUrl,
    passwords: mode === 'password' ? passwords : undefined,
    oidc: mode === 'oidc' ? toOidc(config, clock) : undefined,
  }
}

function toOidc(config: Config, clock: () => number): Oidc | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, dashboardUrl } = config
  if (issuer === undefined || clientId === undefined) return undefined
  return createOidc(
    {
      issuer,
      clientId,
      clientSecret: config.oidcClientSecret,
      redirectUri: `${dashboardUrl}/sign-in/callback`,
      scopes: config.oidcScopes,
      groupsClaim: config.oidcGroupsClaim,
      userIdClaim: config.oidcUserIdClaim,
      email: config.oidcEmail,
      ...(config.oidcSignOut === 'provider' && { signedOutUri: `${dashboardUrl}/sign-in` }),
    },
    clock,
  )
}

/** Somebody waits for it, so it is tried once, and not in the middle of digests. */
function toSend({ smtpUrl: server, mailFrom: from }: Config): Passwords['send'] {
  if (server === undefined || from === undefined) return undefined
  return async (mail) => {
    const mailer = createMailer({ server, from, timeoutMs: 10_000, retries: 0 })
    try {
      return await mailer.send(mail)
    } finally {
      mailer.rest()
    }
  }
}

/** Where no session begins, nothing is written: the disk may be read-only. */
function toOwnSecret(mode: SignInMode, dataDir: string): string {
  if (mode === 'none' || mode === 'proxy') return randomBytes(32).toString('base64url')
  try {
    return readOrMakeSecret(dataDir)
  } catch (cause) {
    throw new StartError(
      `The secret of sessions cannot be kept in ${dataDir}. Make it writable, or set DASHBOARD_SESSION_SECRETS.`,
      { cause },
    )
  }
}

/** A link to set a password, with the configured address of the dashboards: that of a request may be forged. Without one there is no mail either. */
export function toPasswordLink(c: Context, { site }: Passwords, token: string): string {
  return `${site ?? new URL(c.req.url).origin}/sign-in/password/${token}`
}

/** Sends it by mail. `null`: there is no mail server, or the login is not an address. */
export async function sendPasswordLink(
  { send, site }: Passwords,
  { login, link, by }: { login: string; link: string; by: SentBy },
): Promise<MailOutcome | null> {
  if (send === undefined || site === undefined || !isAddress(login)) return null
  const messageId = `<${randomUUID()}@${new URL(site).hostname}>`
  return send(await toPasswordMail({ by, to: login, link, site, hours: linkHours, messageId }))
}
