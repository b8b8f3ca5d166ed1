/**
 * As `ingest.ts`, with Kafka as the log: one broker on this machine (KAFKA_BROKERS, or a JVM of its own), everything on the
 * same cores. `node test/bench/ingest-kafka.ts [seconds per run]`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseFiles, endJvmBroker, findJvmProblem, serverOptions, startJvmBroker } from '../support/kafka-jvm.ts'

const seconds = process.argv[2] ?? '10'

async function openBroker() {
  const { KAFKA_BROKERS } = process.env
  if (KAFKA_BROKERS) return { brokers: KAFKA_BROKERS, close: async () => {} }
  const problem = findJvmProblem()
  if (problem !== undefined) throw new Error(`Set KAFKA_BROKERS, or install Java 17 and Maven: ${problem}`)
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-kafka-'))
  const { address, pid } = await startJvmBroker(await chooseFiles(directory), { options: serverOptions })
  return {
    brokers: address,
    async close() {
      await endJvmBroker(pid, 'SIGKILL')
      rmSync(directory, { recursive: true })
    },
  }
}

const broker = await openBroker()
try {
  const bench = spawn(
    process.execPath,
    [fileURLToPath(new URL('./ingest.ts', import.meta.url)), seconds, 'bare,kafka'],
    { stdio: 'inherit', env: { ...process.env, KAFKA_BROKERS: broker.brokers } },
  )
  await once(bench, 'close')
} finally {
  await broker.close()
}
