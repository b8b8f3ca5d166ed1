/**
 * Our webhook subscription at the platform: checked, created, completed, and cleaned up on request. Safe to repeat: what
 * is right is left alone, and only the mode `fix` removes anything.
 */
import { t } from '../../language/translate.ts'
import { assignmentEventTypes } from '../../schemas/webhook/event.ts'
import type { WebhookSubscription } from '../../schemas/platform.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import {
  checkAddress,
  choose,
  inspect,
  maskUrl,
  toDeliveryFindings,
  toMissing,
  toTypes,
} from './inspect-subscription.ts'
import type { RegisterOptions, RegistrationChange, RegistrationResult } from './registration.ts'

/** A person waits for it. */
const urgent = { priority: 'person' } as const

/** The platform refused: nothing was created. */
const refusals: readonly PlatformErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'REFUSED']

export async function registerWebhook(options: RegisterOptions): Promise<RegistrationResult> {
  const { url, mode } = options
  const changes: RegistrationChange[] = []
  const nothing = {
    url: maskUrl(url),
    subscriptionId: null,
    findings: [],
    changes,
    delivery: { outcome: 'not_tried' },
    manualSteps: [],
    error: null,
  } satisfies Partial<RegistrationResult>
  const check = async () => (await options.checkDelivery?.(url)) ?? { outcome: 'not_tried' as const }
  const addressFindings = checkAddress(options)
  try {
    let all = await listOrNothing(options)
    if (all === undefined) {
      const delivery = await check()
      const findings = [...addressFindings, ...toDeliveryFindings(delivery)]
      return { ...nothing, outcome: 'manual', findings, delivery, manualSteps: toManualSteps(url) }
    }
    // An address that the platform cannot use is not registered: that would expose its token for nothing.
    const isUseless = addressFindings.some(({ severity }) => severity === 'problem')
    if (mode !== 'check' && !isUseless) await complete(options, all, changes)
    if (changes.length > 0) all = await options.client.webhookSubscriptions(urgent)
    if (mode === 'fix' && (await clean(options, all, changes)))
      all = await options.client.webhookSubscriptions(urgent)
    const delivery = await check()
    const findings = [...addressFindings, ...(await inspect(options, all)), ...toDeliveryFindings(delivery)]
    const isGood = findings.every(({ severity }) => severity === 'note')
    const subscriptionId = choose(all, url)?.id ?? null
    return { ...nothing, outcome: isGood ? 'registered' : 'problems', subscriptionId, findings, delivery }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { ...nothing, outcome: 'failed', error: { code: error.code, message: error.message } }
  }
}

/** No such endpoint in this account: it is done by hand. */
async function listOrNothing({ client }: RegisterOptions): Promise<WebhookSubscription[] | undefined> {
  try {
    return await client.webhookSubscriptions(urgent)
  } catch (error) {
    const isAbsent =
      error instanceof PlatformError && (error.code === 'NOT_FOUND' || [405, 501].includes(error.status ?? 0))
    if (isAbsent) return undefined
    throw error
  }
}

/** Creates the subscription, or completes the existing one. */
async function complete(
  options: RegisterOptions,
  all: WebhookSubscription[],
  changes: RegistrationChange[],
): Promise<void> {
  const { client, url } = options
  const ours = choose(all, url)
  if (ours === undefined) {
    const { id: subscriptionId } = await createOnce(options)
    const message = t('Subscribed {url}.', { url: maskUrl(url) })
    changes.push({ kind: 'created', subscriptionId, message })
    return
  }
  const missing = toMissing(ours)
  if (missing.length === 0) return
  await client.changeWebhookSubscription(ours.id, { eventTypes: [...toTypes(ours), ...missing] }, urgent)
  const message = t('Added {types}.', { types: missing.join(', ') })
  changes.push({ kind: 'event_types_added', subscriptionId: ours.id, message })
}

/** Without an answer, something may still have been created: an existing one is then ours, and nothing is created twice. */
async function createOnce({ client, url }: RegisterOptions): Promise<WebhookSubscription> {
  try {
    const values = { name: 'Rollcall', url, eventTypes: [...assignmentEventTypes] }
    return await client.createWebhookSubscription(values, urgent)
  } catch (error) {
    if (!(error instanceof PlatformError) || refusals.includes(error.code)) throw error
    const subscription = choose(await client.webhookSubscriptions(urgent), url)
    if (subscription === undefined) throw error
    return subscription
  }
}

/** Removes subscriptions that deliver twice or in vain. True when any was removed. */
async function clean(
  options: RegisterOptions,
  all: WebhookSubscription[],
  changes: RegistrationChange[],
): Promise<boolean> {
  const { client } = options
  const before = changes.length
  for (const { fixedBy, subscriptionId, message } of await inspect(options, all)) {
    if (subscriptionId === null || fixedBy !== 'fix') continue
    await client.deleteWebhookSubscription(subscriptionId, urgent).catch((error: unknown) => {
      // Already removed, perhaps by a call whose answer was lost.
      if (!(error instanceof PlatformError) || error.code !== 'NOT_FOUND') throw error
    })
    changes.push({ kind: 'removed', subscriptionId, message: t('Removed: {message}', { message }) })
  }
  return changes.length > before
}

/** The steps of a person where the platform's API does not offer them. The token is masked: the person has the full URL. */
function toManualSteps(url: string): string[] {
  return [
    t(
      'Sign in to the learning platform as an administrator and open its webhook settings (often under Integrations or Developers).',
    ),
    t('Add a webhook subscription named “Rollcall”.'),
    t(
      'As its URL enter the whole ingest URL, which begins with {url}. It contains a secret: copy it, and do not share it.',
      { url: maskUrl(url) },
    ),
    t('Tick these event types: {types}. More do no harm.', { types: assignmentEventTypes.join(', ') }),
    t(
      'If the list shows another subscription with the same URL, or with an older one of Rollcall’s, remove that one.',
    ),
    t('Save, then run this check again: it sends a test event and looks for it in the store.'),
  ]
}
