import { expect, onTestFinished, test } from 'vitest'
import { openRunner, type RunnerOptions, type Task } from '../../services/runtime/runner.ts'
import { until } from '../support/wait.ts'

/** Pauses last as long as the test says; their lengths are noted. */
function open(task: Pick<Task, 'run' | 'isEverywhere'>, more: Partial<RunnerOptions> = {}) {
  const pauses: number[] = []
  const errors: string[] = []
  let next = Promise.withResolvers<void>()
  const runner = openRunner({
    tasks: [{ name: 'task', everyMs: 10_000, ...task }],
    onError: (error, name) => errors.push(`${name}: ${String(error)}`),
    async sleep(ms, signal) {
      const { promise, resolve } = (next = Promise.withResolvers())
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve())
      pauses.push(ms)
      await promise
    },
    ...more,
  })
  onTestFinished(() => runner.close())
  return { runner, pauses, errors, goOn: () => next.resolve() }
}

test('pauses twice as long after each failure, up to five minutes, and as before once it succeeds', async () => {
  let answer = (): Promise<void | 'later'> => Promise.reject(new Error('away'))
  const { pauses, errors, goOn } = open({ run: () => answer() })
  for (let passes = 1; passes <= 7; passes++) {
    await until(() => pauses.length === passes)
    if (passes === 5) answer = () => Promise.resolve('later')
    if (passes === 6) answer = () => Promise.resolve()
    goOn()
  }
  const base = [20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 10_000]
  for (const [index, ms] of base.entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(0.9 * ms)
    expect(pauses[index]).toBeLessThanOrEqual(1.1 * ms)
  }
  expect(errors).toEqual(Array(5).fill('task: Error: away'))
})

test('runs a task in the runner only, unless it is for every process', async () => {
  const done: string[] = []
  let isRunner = false
  const note = (name: string) => () => Promise.resolve(void done.push(name))
  const { runner, pauses } = open({ run: note('own') }, { isRunner: () => isRunner })
  const everywhere = open({ run: note('everywhere'), isEverywhere: true }, { isRunner: () => false })
  await until(() => pauses.length + everywhere.pauses.length === 2)
  expect(done).toEqual(['everywhere'])
  isRunner = true
  runner.wake('task')
  await until(() => pauses.length === 2)
  expect(done).toEqual(['everywhere', 'own'])
})

test('ends a task once the process is no longer the runner, and a close waits for it', async () => {
  let isRunner = true
  const seen: boolean[] = []
  let runs = 0
  const run = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      runs++
      signal.addEventListener('abort', () => {
        seen.push(isRunner)
        resolve()
      })
    })
  const { runner, pauses } = open({ run }, { isRunner: () => isRunner })
  isRunner = false
  await until(() => pauses.length === 1)
  expect(seen).toEqual([false])
  isRunner = true
  runner.wake('task')
  await until(() => runs === 2)
  await runner.close()
  expect(seen).toEqual([false, true])
})

test('begins again right after a run during which it was woken', async () => {
  const under = Promise.withResolvers<void>()
  let runs = 0
  const { runner } = open({ run: () => (++runs === 1 ? under.promise : Promise.resolve()) })
  runner.wake('task')
  under.resolve()
  await until(() => runs === 2)
})
