/** `npm run fuzz -- [--mode inside|embedded] [--runs n] [--seed n]`: hostile bodies against the product. Ends with 1 where one broke a promise. */
import { parseArgs } from 'node:util'
import { fuzzEmbedded, fuzzInside } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'embedded' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
})
/** Of a product: it is judged by all of its bodies, which are held until then. */
const mostAtOnce = 10_000
const runs = Number(values.runs)
for (let from = 0; from < runs; from += mostAtOnce) {
  const count = Math.min(mostAtOnce, runs - from)
  const fuzz = values.mode === 'inside' ? fuzzInside : fuzzEmbedded
  const { problems, outcomes, worst } = await fuzz(Number(values.seed) + from, count)
  console.log(`${from + count} bodies, seed ${values.seed}:`, Object.fromEntries(outcomes))
  for (const [kind, ms] of worst) console.log(`  ${ms.toFixed(1)} ms  ${kind}`)
  if (problems.length > 0) process.exitCode = 1
  for (const problem of problems.slice(0, 50)) console.log(`PROBLEM: ${problem}`)
}
