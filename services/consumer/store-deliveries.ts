/** Runs the steps of a batch. A delivery that the store refuses is set aside, so that it delays no other. */
import { toFailure, type Failure } from '../clickhouse/errors/failure.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { readErasedPeople } from './scrub/erased-people.ts'
import { findRepeats, prepareAndStore, runSteps, type Batch, type StepsOptions } from './batch-steps.ts'
import { prepareRecord, type Prepared } from './rows.ts'
import { createControls, isLike, type Control } from './set-aside/controls.ts'
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

/** How many others of a batch are tried where an error may be anyone's fault. */
const maxControls = 8

export function createDeliveryStore(options: StoreDeliveriesOptions) {
  const { client, people, onSetAside } = options
  const controls = createControls()

  return async function storeDeliveries(deliveries: Deliveries): Promise<void> {
    const { partition, records, finish, permanentIds } = deliveries
    const { checkOwnership, judge } = watchOwner(deliveries)

    await storeInParts(records, {
      judge,
      async store(part) {
        controls.note(partition, await runSteps(options, { partition, records: part, checkOwnership, finish }))
      },
      async isToBlame(record) {
        const prepared = await tryToPrepare(record, partition)
        for (const control of [...controls.like(prepared), ...toOthers(deliveries, record, prepared)]) {
          if (await isTaken(control)) return !(await isTaken({ partition, record }))
        }
        return false
      },
      async setAside(record, refusal) {
        await checkOwnership()
        const prepared = await tryToPrepare(record, partition)
        const isKept = prepared?.outcome === 'event' && permanentIds?.has(record.eventId)
        const result = isKept
          ? ({ outcome: 'repeat' } as const)
          : await setAside({ client, people, record, partition, prepared, refusal, checkOwnership, judge })
        if (result.outcome === 'repeat') {
          return finish(prepared === undefined ? [] : [prepared], new Set([record.offset]))
        }
        const repeated = await findRepeats(options, partition, [result.prepared], [])
        await checkOwnership()
        await finish([result.prepared], repeated)
        const { offset, eventId } = record
        const { isTakenBack } = result
        onSetAside?.({ partition, offset, eventId, reason: toWords(refusal), isTakenBack })
      },
    })

    async function isTaken(control: Control): Promise<boolean> {
      try {
        const { partition: at, record } = control
        await prepareAndStore(options, { partition: at, records: [record], checkOwnership })
        return true
      } catch (error) {
        const failure = judge(error)
        if (failure === 'content' || failure === 'unclear') return false
        throw error
      }
    }
  }

  async function tryToPrepare(record: PositionedRecord, partition: number): Promise<Prepared | undefined> {
    const erased = await readErasedPeople(client)
    try {
      return prepareRecord(record, partition, erased, people.attributes)
    } catch {
      return undefined
    }
  }

  function toOthers(
    { partition, records }: Deliveries,
    record: PositionedRecord,
    prepared: Prepared | undefined,
  ): Control[] {
    const others: Control[] = []
    const stride = Math.max(1, Math.floor(records.length / (4 * maxControls)))
    for (let at = 0; at < records.length && others.length < maxControls; at += stride) {
      const other = records[at]
      if (other === undefined || other.eventId === record.eventId) continue
      if (canBeLike(other, prepared, partition)) others.push({ partition, record: other })
    }
    return others
  }
}

function canBeLike(other: PositionedRecord, prepared: Prepared | undefined, partition: number): boolean {
  try {
    return isLike(prepareRecord(other, partition), prepared)
  } catch {
    return false
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
