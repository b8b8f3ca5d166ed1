/** How people come in: the way to sign in, and what decides about them. */
import type { Mail, MailOutcome } from '../../digest/sending/mailer.ts'
import type { Access } from '../../services/access/access.ts'
import type { AccessChanges } from '../../services/access/changes.ts'
import type { PasswordLinks } from '../../services/access/password-links.ts'
import type { Shares } from '../../services/sharing/shares.ts'
import type { Views } from '../../services/saved-views/saved-views.ts'
import type { TargetsOfCompany } from '../../services/targets/targets.ts'
import type { Notes } from '../../services/notes/notes.ts'
import type { Oidc } from '../../services/access/oidc.ts'
import type { Network } from '../../services/config/networks.ts'
import type { SignInMode } from './identify.ts'
import type { AudienceSettings } from '../../services/access/visitor.ts'

/** What signing in with passwords needs. */
export type Passwords = {
  links: PasswordLinks
  /** DASHBOARD_URL. */
  site: string | undefined
  /** Left out: there is no mail server. */
  send?: ((mail: Mail) => Promise<MailOutcome>) | undefined
}

export type Entrance = {
  mode: SignInMode
  access: Access
  changes: AccessChanges
  shares: Shares
  views: Views
  targets: TargetsOfCompany
  notes: Notes
  /** For `mode.kind` password. */
  passwords?: Passwords
  /** For `mode.kind` oidc. */
  oidc?: Oidc
  audiences: AudienceSettings
  /** Proxies whose `X-Forwarded-For` says who sends. */
  trustedProxies: readonly Network[]
  /** Whether browsers reach us by https. */
  isSecure: boolean
  /** Where people open the dashboards, for links. Left out: as the request says. */
  url?: string
}
