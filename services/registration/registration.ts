/** What registering a webhook at the platform is given and gives: contract for the CLI and the Set-up page. */
import type { PlatformClient } from '../platform/platform-client.ts'
import type { PlatformErrorCode } from '../platform/platform-error.ts'
import type { DeliveryCheck } from './delivery.ts'

export const challengeEventTypes: readonly string[] = [
  'assignmentCreated.challenge',
  'assignmentProgress.challenge',
  'assignmentCompleted.challenge',
  'assignmentDeleted.challenge',
]

/** check: looks only. register: also makes what is missing. fix: also removes duplicates and addresses that are refused. */
export type RegisterMode = 'check' | 'register' | 'fix'

export type RegisterOptions = {
  client: Pick<
    PlatformClient,
    'webhookSubscriptions' | 'createWebhookSubscription' | 'changeWebhookSubscription' | 'deleteWebhookSubscription'
  >
  /** The whole public ingest URL, token included. */
  url: string
  mode: RegisterMode
  /** Default the four of challenge assignments. */
  eventTypes?: readonly string[]
  /** Of a new subscription. Default `Rollcall`. */
  name?: string
  /** Of the platform: an address that only this machine can reach is of use to a platform on this machine only. */
  platformUrl?: string
  /** How the address `url` answers a person: whether its token is still good. Default: asks it. */
  isTokenAccepted?: (url: string) => Promise<boolean | undefined>
  /** Sends a test event through the URL. Left out: not tried. */
  checkDelivery?: (url: string) => Promise<DeliveryCheck>
}

/** URLs in it are masked: the token is never told. `fixedBy`: which mode would put it right; `null`: only a person can. */
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
  /** manual: the platform offers no way to do it by its API; the steps say how. failed: it could not be asked. */
  outcome: 'registered' | 'problems' | 'manual' | 'failed'
  /** The URL with its token masked. */
  url: string
  subscriptionId: string | null
  /** What is so after the changes. */
  findings: RegistrationFinding[]
  changes: RegistrationChange[]
  delivery: DeliveryCheck | { outcome: 'not_tried' }
  /** For a person, with the token masked; empty unless needed. */
  manualSteps: string[]
  error: { code: PlatformErrorCode; message: string } | null
}
