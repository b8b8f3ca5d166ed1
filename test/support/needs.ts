/** What a bench or a script needs of the machine. */
import { spawnSync } from 'node:child_process'
import { findJvmProblem } from './kafka/jvm.ts'

/** Ends the process with one sentence if there is a problem. */
export function exitIf(problem: string | false | undefined): void {
  if (!problem) return
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

export function isInstalled(tool: string): boolean {
  return spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined
}

export function findBrokerProblem(): string | undefined {
  const problem = findJvmProblem()
  return problem && `This needs a Kafka broker: install Java 17 and Maven (${problem}).`
}
