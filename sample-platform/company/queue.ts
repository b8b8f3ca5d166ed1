/** A priority queue of actions: earliest first; at one instant, in order of insertion. */
export type Happening = { at: number; order: number; run: (at: number) => void }

export function createQueue() {
  const heap: Happening[] = []

  function push(happening: Happening): void {
    let index = heap.length
    while (index > 0) {
      const up = (index - 1) >> 1
      const parent = heap[up] as Happening
      if (!isBefore(happening, parent)) break
      heap[index] = parent
      index = up
    }
    heap[index] = happening
  }

  function pop(): Happening | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      let down = 2 * index + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Happening, heap[down] as Happening)) down++
      const child = heap[down] as Happening
      if (!isBefore(child, last)) break
      heap[index] = child
      index = down
    }
    heap[index] = last
    return first
  }

  return { push, pop, peek: () => heap[0] }
}

export function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
