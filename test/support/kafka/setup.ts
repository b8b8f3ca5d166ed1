/** Around a whole run of tests: a place to agree on a broker before, the end of that broker after. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readState } from './broker.ts'
import { endJvmBroker } from './jvm.ts'

export function setup(project: TestProject): () => Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-broker-'))
  project.provide('kafkaDirectory', directory)
  return async () => {
    const state = readState(directory)
    if (state?.pid !== undefined) await endJvmBroker(state.pid, 'SIGKILL')
    rmSync(directory, { recursive: true })
    if (state?.missing !== undefined) {
      process.stdout.write(
        `Not run: the tests that need a Kafka broker (${state.missing}). To run them install Java 17 or newer and Maven, ` +
          'or set KAFKA_BROKERS.\n',
      )
    }
  }
}
