/**
 * From the moment a webhook is sent until `/api/metrics` counts it, under a steady load: every event creates an assignment, so
 * the count of assignments says how far the numbers have come. Arguments: [perSecond=1000] [seconds=20]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { toBody } from '../support/data/records.ts'
import { readAssigned } from '../support/processes/embedded.ts'
import { openProduct } from '../support/processes/product.ts'
import { startLoad } from './load.ts'
import { describeTimes, quantile, readNumbers, report } from './report.ts'

const [perSecond, seconds] = readNumbers(1_000, 20)
const total = perSecond * seconds
const product = await openProduct('embedded')
const load = startLoad(
  product.ingestUrl,
  perSecond,
  (index) => {
    const now = Date.now() - 1
    return toBody('Created', `a${index}`, now, { createdAt: now, dueDate: null }, { id: index % 2_000 })
  },
  total,
)
/** Events are counted, not told apart, which a steady rate allows. */
const visibleAt: number[] = []
while (visibleAt.length < total) {
  const assigned = await readAssigned(product.dashboardUrl)
  const at = performance.now()
  while (visibleAt.length < assigned) visibleAt.push(at)
  await sleep(200)
}
await load.stop()
await product.dispose()

const { sentAt, acknowledgedMs } = load
const latencies = visibleAt.map((at, index) => at - (sentAt[index] ?? at))
console.log(`acknowledged  ${describeTimes(acknowledgedMs)}`)
console.log(`visible       ${describeTimes(latencies)}`)
for (const [share, aim] of [
  [0.95, 2_000],
  [0.99, 5_000],
] as const)
  report({
    what: `received to visible at ${perSecond}/s, p${share * 100}`,
    value: quantile(latencies, share),
    unit: 'ms',
    aim,
  })
