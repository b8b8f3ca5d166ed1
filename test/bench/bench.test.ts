import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'
import { simulate, type Plan } from './simulate.ts'

const read = (...args: string[]) => parseArguments({ assignments: 250_000, directory: '', rounds: 21 }, args)

test('arguments of a benchmark are read by position', () => {
  expect(read()).toEqual({ assignments: 250_000, directory: '', rounds: 21 })
  expect(read('50000', '', '5')).toEqual({ assignments: 50_000, directory: '', rounds: 5 })
})

test.each([[['many']], [['-1']], [['1.5']], [['']], [['1', 'directory', '3', '4']], [['--rounds', '3']], [['--help']]])(
  'no benchmark runs with %j',
  (args) => {
    expect(() => read(...args)).toThrow()
  },
)

test('no benchmark reads its arguments in another way', () => {
  const own = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    return text.includes('process.argv') && !text.includes('parseArgs(')
  })
  // A command to run, and the name of a server.
  expect(own.sort()).toEqual(['door/broker.ts', 'door/servers.ts'])
})

test.each([
  ['test/bench/door/bench.ts', 'This bench needs wrk: apt-get install wrk, or brew install wrk.'],
  ['test/bench/door/broker.ts', 'This needs a Kafka broker: install Java 17 and Maven (there is no java).'],
  ['test/fuzz/api.ts', expect.stringMatching(/^This needs Schemathesis, or uvx: pip install \S+$/)],
])('%s names the tool that is missing', (file, sentence) => {
  const words = ['--import', './services/runtime/jsx.ts', file]
  const { status, stderr } = spawnSync(process.execPath, words, { env: { PATH: '' }, encoding: 'utf8' })
  expect([status, stderr.trimEnd()]).toEqual([2, sentence])
})

describe('the simulation behind docs/sizing.md', () => {
  const costs = { fixedMs: 100, perEventMs: 0.1 }
  const run = (plan: Plan) => simulate(plan, costs, 4)

  test('is the same each time', () => {
    const plan = { perSecond: 500, partitions: 2, consumers: 2 }
    expect(run(plan)).toEqual(run(plan))
  })

  test('a plan that is too small never catches up, and says so', () => {
    // A batch of 10,000 takes 1.1 s.
    expect(run({ perSecond: 11_000, partitions: 1, consumers: 1 }).recoveredMs).toBe(Infinity)
    expect(run({ perSecond: 2_000, partitions: 1, consumers: 1 }).recoveredMs).toBeLessThan(120_000)
  })

  test('the partitions of a killed consumer wait for the end of its session', () => {
    const { recoveredMs, p95Ms } = run({ perSecond: 1_000, partitions: 2, consumers: 2 })
    expect(recoveredMs).toBeGreaterThan(25_000)
    // Until the next fetch, and then for the batch.
    expect(p95Ms).toBeLessThan(400 + 100 + 100)
  })

  test('a consumer of many partitions is busy with small batches', () => {
    const one = run({ perSecond: 1_000, partitions: 1, consumers: 1 })
    const many = run({ perSecond: 1_000, partitions: 8, consumers: 1 })
    expect(one.busy).toBeLessThan(0.6)
    expect(many.busy).toBeGreaterThan(0.9)
    expect(many.batchesPerSecond).toBeGreaterThan(3 * one.batchesPerSecond)
  })
})
