/** A short run of `npm run chaos` for one test. */
import { onTestFinished } from 'vitest'
import { findJvmProblem } from '../support/kafka/jvm.ts'
import type { Instance, InstanceOptions } from './instance.ts'
import { toText } from './report.ts'
import { runChaos, type ChaosOptions, type ChaosReport } from './run-chaos.ts'

export const canRunDistributed = findJvmProblem() === undefined || process.env.ROLLCALL_REQUIRE_BROKER === '1'

/** Every wait of a run gives up by itself; how long a whole run takes depends on the machine. */
export const unlimited = { timeout: 0 }

export async function runShort(
  open: (options: InstanceOptions) => Promise<Instance>,
  options: ChaosOptions & InstanceOptions,
): Promise<ChaosReport> {
  const instance = await open(options)
  onTestFinished(() => instance.dispose(), 0)
  const report = await runChaos(instance, options)
  console.log(toText(report))
  return report
}
