/** Problems and notes about our subscription at the platform. */
import { isIP } from 'node:net'
import { t } from '../../language/translate.ts'
import { assignmentEventTypes } from '../../schemas/webhook/event.ts'
import type { WebhookSubscription } from '../../schemas/platform.ts'
import type { RegisterOptions, RegistrationFinding, RegistrationResult } from './registration.ts'

function toProblem(
  kind: RegistrationFinding['kind'],
  message: string,
  more: Partial<RegistrationFinding> = {},
): RegistrationFinding {
  return { kind, severity: 'problem', subscriptionId: null, message, fixedBy: null, ...more }
}

/** The findings about the existing subscriptions. */
export async function inspect(
  { url }: RegisterOptions,
  all: WebhookSubscription[],
): Promise<RegistrationFinding[]> {
  const ours = choose(all, url)
  const findings: RegistrationFinding[] = []
  if (ours === undefined) {
    const message = t('The platform does not send to {url}.', { url: maskUrl(url) })
    findings.push(toProblem('not_registered', message, { fixedBy: 'register' }))
  } else if (toMissing(ours).length > 0) {
    const message = t('The platform does not send {types}.', { types: toMissing(ours).join(', ') })
    findings.push(toProblem('missing_event_types', message, { subscriptionId: ours.id, fixedBy: 'register' }))
  }
  for (const { id, name, url: address } of all.filter((one) => one !== ours)) {
    if (!address) continue
    const values = { subscription: t('Subscription “{name}”', { name: name || id }), url: maskUrl(address) }
    const fix = { subscriptionId: id, fixedBy: 'fix' } as const
    if (isSame(address, url)) {
      findings.push(
        toProblem('duplicate', t('{subscription} sends to the same address once more.', values), fix),
      )
    } else if (isUnderOneAddress(address, url) && (await isTokenRefused(address))) {
      const message = t(
        '{subscription} sends to {url} with a token that is refused: what it sends is lost.',
        values,
      )
      findings.push(toProblem('refused_address', message, fix))
    } else if (isUnderOneAddress(address, url)) {
      const message = t(
        '{subscription} sends to {url} as well, with another token; repeats are counted once.',
        values,
      )
      findings.push(toProblem('other_address', message, { severity: 'note', subscriptionId: id }))
    }
  }
  return findings
}

export function checkAddress({ url, platformUrl }: RegisterOptions): RegistrationFinding[] {
  if (isLocal(url)) {
    if (platformUrl === undefined || isLocal(platformUrl)) return []
    const message = t(
      '{url} can be reached from this machine only. Set PUBLIC_INGEST_URL to the address that the platform can reach.',
      { url: maskUrl(url) },
    )
    return [toProblem('private_address', message)]
  }
  if (URL.parse(url)?.protocol !== 'http:') return []
  const message = t(
    '{url} is not encrypted: everyone on the way can read the token and send events with it. Platforms ask for https.',
    { url: maskUrl(url) },
  )
  return [toProblem('plain_http', message)]
}

export function toDeliveryFindings(delivery: RegistrationResult['delivery']): RegistrationFinding[] {
  const message = toDeliveryProblem(delivery)
  return message === undefined ? [] : [toProblem('delivery_failed', message)]
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

/** Our ingest answers a GET with 404 if the token is unknown. Other answers say nothing. */
async function isTokenRefused(url: string): Promise<boolean> {
  const asked = fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
  return asked.then(
    ({ status }) => status === 404,
    () => false,
  )
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
  const toFolder = (url: string) => URL.parse('.', url)?.href
  return toFolder(a) !== undefined && toFolder(a) === toFolder(b)
}

/** Reachable only from this machine or its own network. */
function isLocal(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  if (isIP(host) === 0) return host === 'localhost'
  return /^::1?$|^(127|10|0)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^f[cd]/.test(host)
}
