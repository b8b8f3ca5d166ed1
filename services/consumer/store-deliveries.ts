/** Runs the steps of a batch. A delivery that the store refuses is set aside, so that it delays no other. */
import type { PositionedRecord } from '../event-log/event-log.ts'
import { type Batch, findRepeats, runSteps, type StepsOptions } from './batch-steps.ts'
import { type Prepared, prepareRecord } from './rows.ts'
import { readErasedPeople } from './erased-people.ts'
import { setAside, toWords } from './set-aside/set-aside.ts'
import { storeInParts } from './set-aside/store-in-parts.ts'

/** A delivery that was set aside. `reason` is without anything of the delivery. */
export type RefusedDelivery = { partition: number; offset: number; eventId: string; reason: string }

/** After how many errors that may be anyone's fault a delivery is set aside. The batch is delivered again in between. */
const maxUnclear = 3

export function createDeliveryStore(
  options: StepsOptions & { onSetAside?: ((refused: RefusedDelivery) => void) | undefined },
) {
  const { client, people, onSetAside } = options
  /** By event id. */
  const unclear = new Map<string, number>()

  return async function storeDeliveries(batch: Batch): Promise<void> {
    const { partition, checkOwnership, finish } = batch

    await storeInParts(batch.records, {
      store: (records) => runSteps(options, { ...batch, records }),
      isToBlame({ eventId }) {
        const tries = (unclear.get(eventId) ?? 0) + 1
        unclear.set(eventId, tries)
        return tries >= maxUnclear
      },
      async setAside(record, refusal) {
        await checkOwnership()
        const { offset, eventId } = record
        unclear.delete(eventId)
        const prepared = await tryToPrepare(record, partition)
        const failed = await setAside({
          client,
          people,
          record,
          partition,
          prepared,
          refusal,
          checkOwnership,
        })
        if (failed === undefined) return finish(prepared === undefined ? [] : [prepared], new Set([offset]))
        const repeated = await findRepeats(client, batch, [failed], [])
        await checkOwnership()
        await finish([failed], repeated)
        onSetAside?.({ partition, offset, eventId, reason: toWords(refusal) })
      },
    })
  }

  async function tryToPrepare(record: PositionedRecord, partition: number): Promise<Prepared | undefined> {
    const erased = await readErasedPeople(client)
    try {
      return prepareRecord(record, partition, erased, people.attributes)
    } catch {
      return undefined
    }
  }
}
