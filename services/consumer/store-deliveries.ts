/** Runs the steps of a batch. A delivery that the store refuses is set aside, so that it delays no other. */
import { type Batch, runSteps, type StepsOptions } from './batch-steps.ts'
import { setAside, toWords } from './set-aside/set-aside.ts'
import { storeInParts } from './set-aside/store-in-parts.ts'

/** A delivery that was set aside. `reason` is without anything of the delivery. */
export type RefusedDelivery = { partition: number; offset: number; eventId: string; reason: string }

/** After how many errors that may be anyone's fault a delivery is set aside. The batch is delivered again in between. */
const maxUnclear = 3

export function createDeliveryStore(
  options: StepsOptions & { onSetAside?: ((refused: RefusedDelivery) => void) | undefined },
) {
  /** By event id. */
  const unclear = new Map<string, number>()

  return (batch: Batch): Promise<void> =>
    storeInParts(batch.records, {
      store: (records) => runSteps(options, { ...batch, records }),
      isToBlame({ eventId }) {
        const tries = (unclear.get(eventId) ?? 0) + 1
        unclear.set(eventId, tries)
        return tries >= maxUnclear
      },
      async setAside(record, refusal) {
        const { offset, eventId } = record
        const reason = toWords(refusal)
        unclear.delete(eventId)
        if (await setAside(options, batch, record, reason))
          options.onSetAside?.({ partition: batch.partition, offset, eventId, reason })
      },
    })
}
