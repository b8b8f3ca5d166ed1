/**
 * One Kafka broker on this machine, with the heap and the compiler of a real one, for the benches: KAFKA_BROKERS, or a JVM of
 * its own. `node test/bench/door/broker.ts` starts one and prints its address, until Ctrl-C; with a command behind it, runs
 * that with KAFKA_BROKERS set, and ends.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openOwnBroker } from '../../support/kafka/broker.ts'
import { serverOptions } from '../../support/kafka/jvm.ts'
import { exitIf, findBrokerProblem } from '../../support/needs.ts'

async function openBroker() {
  const { KAFKA_BROKERS } = process.env
  if (KAFKA_BROKERS) return { brokers: [KAFKA_BROKERS], dispose: async () => {} }
  exitIf(findBrokerProblem())
  return openOwnBroker({ options: serverOptions })
}

const broker = await openBroker()
try {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined) {
    process.stdout.write(`KAFKA_BROKERS=${broker.brokers.join()}\n`)
    // Keeps the process alive until somebody ends it.
    const alive = setInterval(() => {}, 60_000)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    clearInterval(alive)
  } else {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, KAFKA_BROKERS: broker.brokers.join() },
    })
    const [code] = (await once(child, 'close')) as [number | null]
    process.exitCode = code ?? 1
  }
} finally {
  await broker.dispose()
}
