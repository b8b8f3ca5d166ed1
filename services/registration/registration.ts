/** Input and result of a registration: the contract for the CLI and the Set-up page. */
import type { PlatformClient } from '../platform/open-platform-client.ts'
import type { PlatformErrorCode } from '../platform/platform-error.ts'
import type { DeliveryCheck } from './delivery.ts'

/** check: only checks. register: also creates a missing subscription. fix: also removes duplicates and refused addresses. */
export type RegisterMode = 'check' | 'register' | 'fix'

export type RegisterOptions = {
  client: Pick<
    PlatformClient,
    | 'webhookSubscriptions'
    | 'createWebhookSubscription'
    | 'changeWebhookSubscription'
    | 'deleteWebhookSubscription'
  >
  /** The full public ingest URL, token included. */
  url: string
  mode: RegisterMode
  /** The platform's address: a local URL is useful only to a platform on this machine. */
  platformUrl?: string | undefined
  /** Sends a test event through the URL. Left out: no test event. */
  checkDelivery?: (url: string) => Promise<DeliveryCheck>
}

/** URLs in it are masked: the token is never shown. `fixedBy`: the mode that would fix it; `null`: only a person can. */
export type RegistrationFinding = {
  kind:
    | 'not_registered'
    | 'missing_event_types'
    | 'duplicate'
    | 'refused_address'
    | 'other_address'
    | 'plain_http'
    | 'private_address'
    | 'delivery_failed'
  severity: 'problem' | 'note'
  subscriptionId: string | null
  message: string
  fixedBy: RegisterMode | null
}

export type RegistrationChange = {
  kind: 'created' | 'event_types_added' | 'removed'
  subscriptionId: string
  message: string
}

export type RegistrationResult = {
  /** manual: the platform's API offers no way; the steps describe it. failed: the platform could not be reached. */
  outcome: 'registered' | 'problems' | 'manual' | 'failed'
  /** The URL with its token masked. */
  url: string
  subscriptionId: string | null
  /** The state after the changes. */
  findings: RegistrationFinding[]
  changes: RegistrationChange[]
  delivery: DeliveryCheck | { outcome: 'not_tried' }
  /** For a person, with the token masked; empty unless needed. */
  manualSteps: string[]
  error: { code: PlatformErrorCode; message: string } | null
}
