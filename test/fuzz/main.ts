/** `npm run fuzz -- [--mode inside|embedded] [--runs n] [--seed n]`: hostile bodies against the product. Ends with 1 where one broke a promise. */
import { parseArgs } from 'node:util'
import { fuzzEmbedded } from './fuzz-embedded.ts'
import { fuzzInside } from './fuzz-inside.ts'
import { toText } from './report.ts'

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'embedded' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
})
const fuzz = values.mode === 'inside' ? fuzzInside : fuzzEmbedded
const startedAt = Date.now()
const report = await fuzz({
  seed: Number(values.seed),
  runs: Number(values.runs),
  onProgress: (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done}`)
  },
})
console.log(`${toText(report)}\nTook ${Math.round((Date.now() - startedAt) / 1_000)} s`)
process.exit(report.problems.length === 0 ? 0 : 1)
