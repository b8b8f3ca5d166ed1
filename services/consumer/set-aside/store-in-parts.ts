/**
 * One unstorable delivery never delays another. A batch that the store refuses for its content is halved until the
 * culprit stands alone; that one is set aside, and the rest continues. Errors of availability are thrown and waited out.
 */
import { toFailure, type Failure } from '../../clickhouse/errors/failure.ts'

export type Parts<Item> = {
  /** Stores these and records their position, so that a crash continues behind them. */
  store(items: readonly Item[]): Promise<void>
  /** Keeps, some other way, items that the store will not take, and records that. */
  setAside(item: Item, refusal: unknown): Promise<void>
  /** After an error that may be anyone's fault: whether it is this item's. */
  isToBlame(item: Item): Promise<boolean>
  /** Default `toFailure`. */
  judge?: (error: unknown) => Failure
}

/** Stores them in their order. Items recorded before it throws stay so. */
export async function storeInParts<Item>(items: readonly Item[], parts: Parts<Item>): Promise<void> {
  const { store, setAside, isToBlame, judge = toFailure } = parts
  try {
    return await store(items)
  } catch (error) {
    const failure = judge(error)
    if (failure !== 'content' && failure !== 'unclear') throw error
    const [only] = items
    if (only === undefined) throw error
    if (items.length === 1) {
      if (failure === 'unclear' && !(await isToBlame(only))) throw error
      return setAside(only, error)
    }
  }
  const middle = Math.ceil(items.length / 2)
  await storeInParts(items.slice(0, middle), parts)
  await storeInParts(items.slice(middle), parts)
}
