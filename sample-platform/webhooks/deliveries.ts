/** Every registration and its sender: events go to the registrations that ask for them. */
import type { FaultOptions } from './faults.ts'
import type { LifeEvent } from '../company/life.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'
import { wants, type Subscription, type Subscriptions } from '../api/subscriptions.ts'

export function createDeliveries(
  subscriptions: Subscriptions,
  options: Omit<SenderOptions, 'url' | 'faults'>,
  initialFaults: FaultOptions,
) {
  const senders = new Map<string, Sender>()
  let faults = initialFaults

  /** The sender of one registration at its present URL. */
  function toSender(subscription: Subscription): Sender {
    const key = `${subscription.id} ${subscription.url}`
    let sender = senders.get(key)
    if (sender === undefined) {
      sender = createSender({ ...options, url: subscription.url, faults: () => faults })
      senders.set(key, sender)
    }
    return sender
  }

  return {
    toSender,
    /** To every interested registration; resolves when all have answered, so a slow receiver slows the platform down. */
    async deliver(events: LifeEvent[], { hold }: { hold: boolean }) {
      await Promise.all(
        subscriptions.list().map(async (subscription) => {
          const ofSubscription = events.filter(({ eventType }) => wants(subscription, eventType))
          // Also without events, when nothing is held back any longer.
          if (ofSubscription.length > 0 || !hold) await toSender(subscription).deliver(ofSubscription, { hold })
        }),
      )
    },
    /** From the next event on. */
    setFaults: (others: FaultOptions) => void (faults = others),
    close() {
      for (const sender of senders.values()) sender.close()
    },
  }
}
