/** Problems and notes about our subscription at the platform. */
import type { WebhookSubscription } from '../../schemas/platform/webhook-subscription.ts'
import {
  challengeEventTypes,
  type RegisterOptions,
  type RegistrationFinding,
  type RegistrationResult,
} from './registration.ts'
import { isLocal, isUnderOneAddress, maskUrl } from './url.ts'

/** The findings about the existing subscriptions. */
export async function inspect(options: RegisterOptions, all: WebhookSubscription[]): Promise<RegistrationFinding[]> {
  const { url, eventTypes = challengeEventTypes, isTokenAccepted = askAddress } = options
  const own = choose(all, url, eventTypes)
  const findings: RegistrationFinding[] = []
  const add = (finding: RegistrationFinding) => void findings.push(finding)
  if (own === undefined) {
    add({
      kind: 'not_registered',
      severity: 'problem',
      subscriptionId: null,
      message: `The platform does not send to ${maskUrl(url)}.`,
      fixedBy: 'register',
    })
  } else {
    const missing = toMissing(own, eventTypes)
    if (missing.length > 0) {
      add({
        kind: 'missing_event_types',
        severity: 'problem',
        subscriptionId: own.id,
        message: `The platform does not send ${missing.join(', ')}.`,
        fixedBy: 'register',
      })
    }
  }
  for (const other of all) {
    if (other === own || other.url === null || other.url === undefined) continue
    if (isSame(other.url, url)) {
      add({
        kind: 'duplicate',
        severity: 'problem',
        subscriptionId: other.id,
        message: `${named(other)} sends to the same address once more.`,
        fixedBy: 'fix',
      })
    } else if (isUnderOneAddress(other.url, url)) {
      const isAccepted = await isTokenAccepted(other.url)
      add({
        kind: isAccepted === false ? 'refused_address' : 'other_address',
        severity: isAccepted === false ? 'problem' : 'note',
        subscriptionId: other.id,
        message:
          isAccepted === false
            ? `${named(other)} sends to ${maskUrl(other.url)} with a token that is refused: what it sends is lost.`
            : `${named(other)} sends to ${maskUrl(other.url)} as well, with another token; repeats are counted once.`,
        fixedBy: isAccepted === false ? 'fix' : null,
      })
    }
  }
  return findings
}

export function checkAddress({ url, platformUrl }: RegisterOptions): RegistrationFinding[] {
  const common = { subscriptionId: null, fixedBy: null }
  if (isLocal(url)) {
    if (platformUrl === undefined || isLocal(platformUrl)) return []
    const message = `${maskUrl(url)} can be reached from this machine only. Set PUBLIC_INGEST_URL to the address that the platform can reach.`
    return [{ ...common, kind: 'private_address', severity: 'problem', message }]
  }
  if (URL.parse(url)?.protocol !== 'http:') return []
  const message = `${maskUrl(url)} is not encrypted: everyone on the way can read the token and send events with it. Platforms ask for https.`
  return [{ ...common, kind: 'plain_http', severity: 'problem', message }]
}

export function toDeliveryFindings(delivery: RegistrationResult['delivery']): RegistrationFinding[] {
  const message = toDeliveryProblem(delivery)
  if (message === undefined) return []
  return [{ kind: 'delivery_failed', severity: 'problem', subscriptionId: null, message, fixedBy: null }]
}

function toDeliveryProblem(delivery: RegistrationResult['delivery']): string | undefined {
  switch (delivery.outcome) {
    case 'stored':
    case 'not_tried':
      return undefined
    case 'not_seen':
      return `The test event was acknowledged and is not stored after ${Math.round(delivery.waitedMs / 1000)} s: the consumer is behind or stopped, or the address belongs to another installation.`
    case 'refused':
      return `The test event was refused with status ${delivery.status}: the address or its token is wrong, or something on the way refuses it.`
    case 'unreachable':
      return `The test event could not be delivered (${delivery.reason}).`
  }
}

/** Of several with the same URL, keep the most complete, then the oldest: the others are duplicates. */
export function choose(
  all: WebhookSubscription[],
  url: string,
  eventTypes: readonly string[],
): WebhookSubscription | undefined {
  return all
    .filter((one) => typeof one.url === 'string' && isSame(one.url, url))
    .toSorted(
      (a, b) =>
        toMissing(a, eventTypes).length - toMissing(b, eventTypes).length ||
        (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) ||
        (a.id < b.id ? -1 : 1),
    )[0]
}

export function toTypes(subscription: WebhookSubscription): string[] {
  return (subscription.eventTypes ?? []).filter((type) => type !== null)
}

/** No types at all means all of them. */
export function toMissing(subscription: WebhookSubscription, eventTypes: readonly string[]): string[] {
  const types = toTypes(subscription)
  return types.length === 0 ? [] : eventTypes.filter((type) => !types.includes(type))
}

function isSame(a: string, b: string): boolean {
  return (URL.parse(a)?.href ?? a) === (URL.parse(b)?.href ?? b)
}

function named({ id, name }: WebhookSubscription): string {
  return `Subscription “${name || id}”`
}

/** The answer of our ingest to a GET: 200 for a valid token, 404 for another. Other answers say nothing. */
async function askAddress(url: string): Promise<boolean | undefined> {
  try {
    const { status } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
    return status === 200 ? true : status === 404 ? false : undefined
  } catch {
    return undefined
  }
}
