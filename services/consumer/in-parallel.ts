/**
 * Side by side, and never leaving anything behind: all of these wait for everything they started, also when one part has
 * failed. Otherwise, rows still on their way to the store would arrive after the replay has looked there.
 */

/** Like `Promise.all`, but settles last: rejects with the first error once nothing is under way any more. */
export async function inParallel<Results extends readonly unknown[]>(
  ...parts: { [index in keyof Results]: Promise<Results[index]> }
): Promise<Results> {
  await Promise.allSettled(parts)
  return (await Promise.all(parts)) as unknown as Results
}

/** Does every item, `atOnce` at a time, in order of their start. After an error no further item is begun. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  use: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const rest = items.entries()
  let failed = false
  async function work(): Promise<void> {
    for (const [index, item] of rest) {
      if (failed) return
      try {
        results[index] = await use(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await inParallel(...Array.from({ length: atOnce }, work))
  return results
}
