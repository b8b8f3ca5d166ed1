/** Statements run one at a time. Whoever asks takes turns with the others, so one person's queue delays nobody else's first statement. */
import { StatementError } from './http-front/http-front.ts'

export type Turns = <Result>(asker: unknown, run: () => Promise<Result>) => Promise<Result>

export function createTurns({ mostEach, mostAll }: { mostEach: number; mostAll: number }): Turns {
  /** In the order of whose turn is next. */
  const queues = new Map<unknown, { run: () => Promise<void> }[]>()
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    for (let next = queues.entries().next().value; next !== undefined; next = queues.entries().next().value) {
      const [asker, queue] = next
      const first = queue.shift()
      // To the end of the line.
      queues.delete(asker)
      if (queue.length > 0) queues.set(asker, queue)
      await first?.run()
    }
    isRunning = false
  }

  return (asker, run) => {
    const queue = queues.get(asker) ?? []
    const all = [...queues.values()].reduce((sum, each) => sum + each.length, 0)
    if (queue.length >= mostEach || all >= mostAll) {
      const which = queue.length >= mostEach ? `${mostEach} statements of yours are` : `${mostAll} statements are`
      return Promise.reject(new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', `${which} waiting already; come again`))
    }
    return new Promise((resolve, reject) => {
      queue.push({ run: () => run().then(resolve, reject) })
      queues.set(asker, queue)
      if (!isRunning) void runAll()
    })
  }
}
