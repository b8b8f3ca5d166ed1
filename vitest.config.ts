import { globSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isRepeat } from './test/support/repeats.ts'

/** No test depends on a limit: this one only ends what hangs, after every wait within a test has given up with a message. */
const backstopMs = 600_000

/** Files that take long although they are small. */
const slow =
  /chaos\/|kafka\/|against-|over-http|endpoint\/process|outages|faults\/leaks|e2e\/platform|package\./

/**
 * Without times of an earlier run Vitest takes the largest files first. Slow ones of few lines come before the others, so that none of them
 * is alone at the end. Files share a process only where they follow one another, so those of a project do.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['alone', 'sharing', 'thorough-alone', 'long-alone', 'thorough', 'long']
    const toRank = ({ moduleId, project }: TestSpecification) =>
      order.indexOf(project.name) - (slow.test(moduleId) ? 0.5 : 0)
    return (await super.sort(files)).toSorted((one, other) => toRank(one) - toRank(other))
  }
}

/** Rooms whose tests change nothing of their process. Loading the product is a third of a short file, so their files share processes. */
const sharing = readdirSync('test')
  .filter((room) => room !== 'e2e')
  .map((room) => `test/${room}/**/*.test.{ts,tsx}`)
const every = ['test/**/*.test.{ts,tsx}']
const long = 'test/**/*.long.test.{ts,tsx}'
/** They set the environment. */
const longAlone = 'test/**/*over-http.long.test.ts'

const everyFile = {
  testTimeout: backstopMs,
  hookTimeout: backstopMs,
  // Node loads the modules, as it does for the product.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', './services/runtime/jsx.ts'],
  // Polls are often statements, which take processor time that the product needs.
  expect: { poll: { timeout: 180_000, interval: 400 } },
}

/** Files of which the short run takes a sample of the cases. */
const toSampled = (include: string[], others: string[] = []) =>
  globSync(include, { exclude: [...others, long] }).filter(
    (file) => !isRepeat(file) && readFileSync(file, 'utf8').includes('support/tiers.ts'),
  )
const thorough = { ...everyFile, env: { ROLLCALL_TEST_THOROUGH: '1' } }

export default defineConfig({
  test: {
    globalSetup: [
      'test/support/run-directory.ts',
      'test/support/kafka/setup.ts',
      'test/support/store/clickhouse-setup.ts',
    ],
    projects: [
      { test: { ...everyFile, name: 'sharing', include: sharing, exclude: [long], isolate: false } },
      { test: { ...everyFile, name: 'alone', include: every, exclude: [...sharing, long] } },
      { test: { ...everyFile, name: 'long', include: [long], exclude: [longAlone], isolate: false } },
      { test: { ...everyFile, name: 'long-alone', include: [longAlone] } },
      { test: { ...thorough, name: 'thorough', include: toSampled(sharing), isolate: false } },
      { test: { ...thorough, name: 'thorough-alone', include: toSampled(every, sharing) } },
    ],
    // For two cores: much of a test is waiting for a server, a broker or a browser.
    maxWorkers: 4,
    ...(!process.argv.join(' ').includes('--sequence.shuffle') && { sequence: { sequencer: LongestFirst } }),
    // Reports of chaos runs are long, and those of mutants are full of failures that are wanted: print only what a failed test said.
    silent: 'passed-only',
  },
})
