/** Runs the steps of a batch. A delivery that the store refuses is set aside, so that it delays no other. */
import { type Failure, toFailure } from '../clickhouse/errors/failure.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { type Batch, findRepeats, prepareAndStore, runSteps, type StepsOptions } from './batch-steps.ts'
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

/** How many others of a batch are tried where an error may be anyone's fault. */
const maxControls = 8

export function createDeliveryStore(options: StoreDeliveriesOptions) {
  const { client, people, onSetAside } = options
  const controls = createControls()

  return async function storeDeliveries(deliveries: Deliveries): Promise<void> {
    const { partition, logBegin, records, finish, permanentIds } = deliveries
    const { checkOwnership, judge } = watchOwner(deliveries)

    await storeInParts(records, {
      judge,
      async store(part) {
        controls.note(
          partition,
          await runSteps(options, { partition, logBegin, records: part, checkOwnership, finish }),
        )
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
        const repeated = await findRepeats(options, { partition, logBegin }, [result.prepared], [])
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

// Stored deliveries, to be stored again when an error does not say whose fault it is: that changes nothing, and shows
// whether the store takes a delivery of the same kind now. If it does, the refused one is at fault.

type Control = { partition: number; record: PositionedRecord }

/** They are kept in memory, one of each kind. */
const maxBodyBytes = 65_536

function createControls() {
  const byKind = new Map<string, Control & { kinds: Set<string> }>()
  return {
    note(partition: number, stored: readonly Prepared[]): void {
      for (const prepared of stored) {
        if (prepared.record.body.byteLength > maxBodyBytes) continue
        const kinds = toKinds(prepared)
        byKind.set([...kinds].join(), { partition, record: prepared.record, kinds })
      }
    },
    /** Those that go into every table into which this one goes; `undefined`: any. */
    like(prepared: Prepared | undefined): Control[] {
      const needed = prepared === undefined ? [] : [...toKinds(prepared)]
      return [...byKind.values()].filter(({ kinds }) => needed.every((kind) => kinds.has(kind)))
    },
  }
}

function isLike(other: Prepared, prepared: Prepared | undefined): boolean {
  const kinds = toKinds(other)
  return prepared === undefined || [...toKinds(prepared)].every((kind) => kinds.has(kind))
}

/** Into which tables it goes, as far as deliveries differ in that. */
function toKinds(prepared: Prepared): Set<string> {
  if (prepared.outcome === 'failed') return new Set(['failed'])
  const { row, observation, names } = prepared
  return new Set([
    'event',
    ...(row['assignmentId'] === '' ? [] : ['assignment']),
    ...(observation === undefined ? [] : ['person']),
    ...(observation?.managers?.length || observation?.directReports?.length ? ['link'] : []),
    ...(names.length === 0 ? [] : ['names']),
  ])
}
