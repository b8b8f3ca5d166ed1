/**
 * `npm run chaos -- [--mode embedded|distributed|both] [--seed text] [--faults n] [--only words]`: the product under faults and
 * load. Ends with 1 where something was lost, doubled or wrong.
 */
import { parseArgs } from 'node:util'
import { openDistributedInstance } from './distributed-instance.ts'
import { openEmbeddedInstance } from './embedded-instance.ts'
import { exitIf, findBrokerProblem } from '../support/needs.ts'
import type { MutantName } from './preload/mutants.ts'
import { findFailures, toText } from './report.ts'
import { runChaos } from './run-chaos.ts'

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'both' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    faults: { type: 'string', default: '60' },
    only: { type: 'string' },
    mutant: { type: 'string' },
  },
})
/** Longer than any fault lasts: the output of the processes may explain it. */
const tellingStallMs = 20_000
const open = { embedded: openEmbeddedInstance, distributed: openDistributedInstance }
const modes = (['embedded', 'distributed'] as const).filter(
  (mode) => values.mode === 'both' || values.mode === mode,
)
exitIf(modes.length === 0 && '--mode is embedded, distributed or both.')
exitIf(modes.includes('distributed') && findBrokerProblem())

let failed = false
for (const mode of modes) {
  const startedAt = Date.now()
  const instance = await open[mode]({ mutant: values.mutant as MutantName | undefined })
  try {
    const report = await runChaos(instance, {
      seed: values.seed,
      faults: Number(values.faults),
      only: values.only,
      onFault: (name, at) => console.error(`${mode}, after ${at} acknowledgements: ${name}`),
      onStored(name, stallMs, output) {
        if (stallMs > tellingStallMs)
          console.error(`Stalled for ${Math.round(stallMs)} ms after ${name}:\n${output}`)
      },
    })
    failed ||= findFailures(report).length > 0
    console.log(`\n${mode}\n${toText(report)}\nTook ${Math.round((Date.now() - startedAt) / 1_000)} s\n`)
  } finally {
    await instance.dispose()
  }
}
process.exit(failed ? 1 : 0)
