/** One after another, in the order in which they were asked for, whatever became of the one before. */
export function createTurns(): <Result>(use: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (use) => {
    const turn = last.then(use, use)
    last = turn.catch(() => undefined)
    return turn
  }
}
