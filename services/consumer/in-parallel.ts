/**
 * Like `Promise.all`, but settles last: rejects with the first error once nothing is under way any more. Otherwise, rows still on
 * their way to the store would arrive after the replay has looked there.
 */
export async function inParallel<Results extends readonly unknown[]>(
  ...parts: { [index in keyof Results]: Promise<Results[index]> }
): Promise<Results> {
  await Promise.allSettled(parts)
  return (await Promise.all(parts)) as unknown as Results
}
