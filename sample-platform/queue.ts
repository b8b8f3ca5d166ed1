/** What waits for its time, the soonest first; of the same time, in the order in which it came. */
export function createQueue<Item>() {
  /** The soonest is last, so that taking is a pop. */
  const waiting: { item: Item; at: number }[] = []

  return {
    add(item: Item, at: number): void {
      let low = 0
      let high = waiting.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (waiting[middle]!.at > at) low = middle + 1
        else high = middle
      }
      waiting.splice(low, 0, { item, at })
    },
    /** All that is due. What is added meanwhile is taken, too, if it is due. */
    *take(now: number): Generator<{ item: Item; at: number }, void, undefined> {
      for (let last = waiting.at(-1); last !== undefined && last.at <= now; last = waiting.at(-1)) {
        waiting.pop()
        yield last
      }
    },
    /** Takes the soonest one of these out of turn. */
    pull(isWanted: (item: Item, at: number) => boolean): Item | undefined {
      const index = waiting.findLastIndex(({ item, at }) => isWanted(item, at))
      return index === -1 ? undefined : waiting.splice(index, 1)[0]?.item
    },
  }
}
