/** Problems and notes about our subscription at the platform. */
import { isIP } from 'node:net'
import { t } from '../../language/translate.ts'
import { assignmentEventTypes } from '../../schemas/webhook/event.ts'
import type { WebhookSubscription } from '../../schemas/platform.ts'
import type { RegisterOptions, RegistrationFinding, RegistrationResult } from './registration.ts'

/** The findings about the existing subscriptions. */
export async function inspect(
  options: RegisterOptions,
  all: WebhookSubscription[],
): Promise<RegistrationFinding[]> {
  const { url } = options
  const ours = choose(all, url)
  const findings: RegistrationFinding[] = []
  if (ours === undefined) {
    const message = t('The platform does not send to {url}.', { url: maskUrl(url) })
    findings.push({ ...problem, kind: 'not_registered', message, fixedBy: 'register' })
  } else if (toMissing(ours).length > 0) {
    const message = t('The platform does not send {types}.', { types: toMissing(ours).join(', ') })
    findings.push({
      ...problem,
      kind: 'missing_event_types',
      subscriptionId: ours.id,
      message,
      fixedBy: 'register',
    })
  }
  for (const other of all) {
    if (other === ours || other.url === null || other.url === undefined) continue
    if (isSame(other.url, url)) {
      const message = t('{subscription} sends to the same address once more.', {
        subscription: toTitle(other),
      })
      findings.push({ ...problem, kind: 'duplicate', subscriptionId: other.id, message, fixedBy: 'fix' })
    } else if (isUnderOneAddress(other.url, url)) findings.push(await inspectNeighbour(other, other.url))
  }
  return findings
}

const problem = { severity: 'problem', subscriptionId: null, fixedBy: null } as const

/** A subscription to our address with another token. */
async function inspectNeighbour(other: WebhookSubscription, otherUrl: string): Promise<RegistrationFinding> {
  const values = { subscription: toTitle(other), url: maskUrl(otherUrl) }
  if ((await isTokenAccepted(otherUrl)) === false) {
    const message = t(
      '{subscription} sends to {url} with a token that is refused: what it sends is lost.',
      values,
    )
    return { ...problem, kind: 'refused_address', subscriptionId: other.id, message, fixedBy: 'fix' }
  }
  const message = t(
    '{subscription} sends to {url} as well, with another token; repeats are counted once.',
    values,
  )
  return { kind: 'other_address', severity: 'note', subscriptionId: other.id, message, fixedBy: null }
}

export function checkAddress({ url, platformUrl }: RegisterOptions): RegistrationFinding[] {
  if (isLocal(url)) {
    if (platformUrl === undefined || isLocal(platformUrl)) return []
    const message = t(
      '{url} can be reached from this machine only. Set PUBLIC_INGEST_URL to the address that the platform can reach.',
      { url: maskUrl(url) },
    )
    return [{ ...problem, kind: 'private_address', message }]
  }
  if (URL.parse(url)?.protocol !== 'http:') return []
  const message = t(
    '{url} is not encrypted: everyone on the way can read the token and send events with it. Platforms ask for https.',
    { url: maskUrl(url) },
  )
  return [{ ...problem, kind: 'plain_http', message }]
}

export function toDeliveryFindings(delivery: RegistrationResult['delivery']): RegistrationFinding[] {
  const message = toDeliveryProblem(delivery)
  if (message === undefined) return []
  return [{ ...problem, kind: 'delivery_failed', message }]
}

function toDeliveryProblem(delivery: RegistrationResult['delivery']): string | undefined {
  switch (delivery.outcome) {
    case 'stored':
    case 'not_tried':
      return undefined
    case 'not_seen':
      return t(
        'The test event was acknowledged and is not stored after {seconds} s: the consumer is behind or stopped, or the address belongs to another installation.',
        { seconds: Math.round(delivery.waitedMs / 1000) },
      )
    case 'refused':
      return t(
        'The test event was refused with status {status}: the address or its token is wrong, or something on the way refuses it.',
        { status: String(delivery.status) },
      )
    case 'unreachable':
      return t('The test event could not be delivered ({reason}).', { reason: delivery.reason })
  }
}

/** Keeps the most complete of several with the same URL, then the oldest: the others are duplicates. */
export function choose(all: WebhookSubscription[], url: string): WebhookSubscription | undefined {
  return all
    .filter((one) => typeof one.url === 'string' && isSame(one.url, url))
    .toSorted(
      (a, b) =>
        toMissing(a).length - toMissing(b).length ||
        (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) ||
        (a.id < b.id ? -1 : 1),
    )[0]
}

export function toTypes(subscription: WebhookSubscription): string[] {
  return (subscription.eventTypes ?? []).filter((type) => type !== null)
}

/** No types at all means all of them. */
export function toMissing(subscription: WebhookSubscription): string[] {
  const types = toTypes(subscription)
  return types.length === 0 ? [] : assignmentEventTypes.filter((type) => !types.includes(type))
}

function isSame(a: string, b: string): boolean {
  return (URL.parse(a)?.href ?? a) === (URL.parse(b)?.href ?? b)
}

function toTitle({ id, name }: WebhookSubscription): string {
  return t('Subscription “{name}”', { name: name || id })
}

/** The answer of our ingest to a GET: 200 for a valid token, 404 for another. Other answers say nothing. */
async function isTokenAccepted(url: string): Promise<boolean | undefined> {
  try {
    const { status } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
    return status === 200 ? true : status === 404 ? false : undefined
  } catch {
    return undefined
  }
}

// Ingest URLs end in their secret: how to compare and show them.

/** With the token's first characters only, by which its owner recognises it. */
export function maskUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return 'an address that cannot be read'
  const path = parsed.pathname.replace(/[^/]+$/, (token) => `${token.slice(0, token.length > 20 ? 4 : 0)}…`)
  return `${parsed.origin}${path}`
}

/** The same place with another token: same origin, and same path except its end. */
function isUnderOneAddress(a: string, b: string): boolean {
  const [one, other] = [URL.parse(a), URL.parse(b)]
  return one !== null && other !== null && one.origin === other.origin && toFolder(one) === toFolder(other)
}

/** Reachable only from this machine or its own network. */
function isLocal(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (isIP(host) === 0) return host === 'localhost'
  return /^::1?$|^(127|10|0)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^f[cd]/.test(host)
}

function toFolder({ pathname }: URL): string {
  return pathname.replace(/[^/]*$/, '')
}
