/** How people come in: the way to sign in, and what decides about them. */
import type { Access } from '../../services/access/access.ts'
import type { Shares } from '../../services/sharing/shares.ts'
import type { Views } from '../../services/saved-views/saved-views.ts'
import type { Oidc } from '../../services/access/oidc.ts'
import type { Network } from '../../services/config/networks.ts'
import type { SignInMode } from './identify.ts'
import type { AudienceSettings } from '../../services/access/visitor.ts'

export type Entrance = {
  mode: SignInMode
  access: Access
  shares: Shares
  views: Views
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
