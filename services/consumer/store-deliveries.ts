/** Runs the steps of a batch. A delivery that the store refuses is set aside, so that it delays no other. */
import { type Failure, toFailure } from '../clickhouse/errors/failure.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { type Batch, findRepeats, runSteps, type StepsOptions } from './batch-steps.ts'
import { type Prepared, prepareRecord } from './rows.ts'
import { readErasedPeople } from './erased-people.ts'
import { setAside, toWords } from './set-aside/set-aside.ts'
import { storeInParts } from './set-aside/store-in-parts.ts'

export type StoreDeliveriesOptions = StepsOptions & {
  onSetAside?: ((refused: RefusedDelivery) => void) | undefined
}

/** A delivery that was set aside. `reason` is without anything of the delivery. */
export type RefusedDelivery = {
  partition: number
  offset: number
  eventId: string
  reason: string
  isTakenBack: boolean
}

export type Deliveries = Batch & {
  /** Event ids that were stored before: never taken back. */
  permanentIds?: ReadonlySet<string>
}

/** After how many errors that may be anyone's fault a delivery is set aside. The batch is delivered again in between. */
const maxUnclear = 3

export function createDeliveryStore(options: StoreDeliveriesOptions) {
  const { client, people, onSetAside } = options
  /** By event id. */
  const unclear = new Map<string, number>()

  return async function storeDeliveries(deliveries: Deliveries): Promise<void> {
    const { partition, logBegin, records, finish, permanentIds } = deliveries
    const { checkOwnership, judge } = watchOwner(deliveries)

    await storeInParts(records, {
      judge,
      async store(part) {
        await runSteps(options, { partition, logBegin, records: part, checkOwnership, finish })
      },
      isToBlame({ eventId }) {
        const tries = (unclear.get(eventId) ?? 0) + 1
        unclear.set(eventId, tries)
        return tries >= maxUnclear
      },
      async setAside(record, refusal) {
        await checkOwnership()
        unclear.delete(record.eventId)
        const prepared = await tryToPrepare(record, partition)
        const isKept = prepared?.outcome === 'event' && permanentIds?.has(record.eventId)
        const result = isKept
          ? ({ outcome: 'repeat' } as const)
          : await setAside({ client, people, record, partition, prepared, refusal, checkOwnership, judge })
        if (result.outcome === 'repeat') {
          return finish(prepared === undefined ? [] : [prepared], new Set([record.offset]))
        }
        const repeated = await findRepeats(options, { partition, logBegin }, [result.prepared], [])
        await checkOwnership()
        await finish([result.prepared], repeated)
        const { offset, eventId } = record
        const { isTakenBack } = result
        onSetAside?.({ partition, offset, eventId, reason: toWords(refusal), isTakenBack })
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

/** An error of `checkOwnership` is not a judgement of the store: these deliveries are left alone. */
function watchOwner({ checkOwnership }: Deliveries): {
  checkOwnership: () => Promise<void>
  judge: (error: unknown) => Failure
} {
  let isLost = false
  return {
    async checkOwnership() {
      try {
        await checkOwnership()
      } catch (error) {
        isLost = true
        throw error
      }
    },
    judge: (error) => (isLost ? 'store' : toFailure(error)),
  }
}
