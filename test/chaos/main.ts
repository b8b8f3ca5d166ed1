/**
 * `npm run chaos -- [--mode embedded|distributed|both] [--seed text] [--faults n] [--only words,words]`: the product under faults and
 * load. Ends with 1 where something was lost, doubled or wrong.
 */
import { parseArgs } from 'node:util'
import { exitIf, findBrokerProblem } from '../support/needs.ts'
import { findFailures, runChaos, toText } from './run.ts'
import { openTarget } from './target.ts'
import type { MutantName } from './preload/mutants.ts'

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'both' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    faults: { type: 'string', default: '60' },
    only: { type: 'string' },
    mutant: { type: 'string' },
  },
})
const modes = (['embedded', 'distributed'] as const).filter((mode) => ['both', mode].includes(values.mode))
exitIf(modes.length === 0 && '--mode is embedded, distributed or both.')
exitIf(modes.includes('distributed') && findBrokerProblem())

let failed = false
for (const mode of modes) {
  const startedAt = Date.now()
  const target = await openTarget(mode, values.mutant as MutantName | undefined)
  if (target.disk === undefined) console.log('Without the faults of full disks: mounting one needs root.')
  try {
    const report = await runChaos(target, {
      seed: values.seed,
      faults: Number(values.faults),
      only: values.only,
      onFault: (name, at) => console.error(`${mode}, after ${at} acknowledgements: ${name}`),
    })
    failed ||= findFailures(report).length > 0
    console.log(`\n${mode}\n${toText(report)}\nTook ${Math.round((Date.now() - startedAt) / 1_000)} s\n`)
  } finally {
    await target.dispose()
  }
}
process.exit(failed ? 1 : 0)
