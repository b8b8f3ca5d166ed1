/**
 * The real broker that tests run against: `KAFKA_BROKERS` if set, else a local JVM. One for the whole run, started by the first
 * test file that asks, ended by `setup.ts`. Where none can be had, tests that need it are skipped and the run says so in its
 * last line; with ROLLCALL_REQUIRE_BROKER=1 they fail.
 *
 *   const broker = await findBroker()
 *   describe.skipIf(broker === undefined)('...', () => { ... })
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { findJvmProblem, jarsTimeoutMs, keepClasses, openJvmBroker, type JvmBrokerOptions } from './jvm.ts'
import { giveUpAfterMs, until } from '../wait.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the processes of a run agree on their broker. */
    kafkaDirectory: string
  }
}

export type Broker = { brokers: string[] }

/** As written for everybody in the run; `pid` to end it by. */
export type BrokerState = { brokers?: string[]; missing?: string; pid?: number }

export async function findBroker(): Promise<Broker | undefined> {
  const { KAFKA_BROKERS, ROLLCALL_REQUIRE_BROKER } = process.env
  if (KAFKA_BROKERS) return { brokers: KAFKA_BROKERS.split(',') }
  const directory = inject('kafkaDirectory')
  if (isFirst(directory)) await start(directory)
  const state = await until(
    () => readState(directory),
    (found) => found?.brokers !== undefined || found?.missing !== undefined,
    { giveUpAfterMs: jarsTimeoutMs + giveUpAfterMs },
  )
  if (state?.brokers !== undefined) return { brokers: state.brokers }
  if (ROLLCALL_REQUIRE_BROKER === '1') throw new Error(`A Kafka broker is required: ${state?.missing}`)
  return undefined
}

/** A topic and a group of the caller's own, on a broker. */
export function toSettings({ brokers }: Broker): KafkaSettings {
  const id = randomBytes(6).toString('hex')
  return { brokers, topic: `test-${id}`, groupId: `test-${id}` }
}

export type OwnBroker = Broker & {
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** A listener that asks for TLS and a user, where the broker has one. */
  secure?: { broker: string; ca: string }
  dispose(): Promise<void>
}

/** Whether `openOwnBroker` works here. */
export function canOpenOwnBroker(): boolean {
  return findJvmProblem() === undefined
}

/** A broker for one test, which may do anything to it. `parent`: where its data are. */
export async function openOwnBroker({
  parent = tmpdir(),
  ...options
}: JvmBrokerOptions & { parent?: string | undefined } = {}): Promise<OwnBroker> {
  const directory = mkdtempSync(join(parent, 'rollcall-kafka-'))
  const broker = await openJvmBroker(directory, options)
  const secure = { broker: broker.secureAddress, ca: join(directory, 'ca.pem') }
  return {
    brokers: [broker.address],
    stop: () => broker.end('SIGTERM'),
    kill: () => broker.end('SIGKILL'),
    startAgain: broker.start,
    ...(options.isSecure && { secure: { ...secure, ca: readFileSync(secure.ca, 'utf8') } }),
    async dispose() {
      await broker.end('SIGKILL')
      rmSync(directory, { recursive: true })
    },
  }
}

function isFirst(directory: string): boolean {
  try {
    mkdirSync(join(directory, 'starting'))
    return true
  } catch {
    return false
  }
}

async function start(directory: string): Promise<void> {
  const missing = findJvmProblem()
  if (missing !== undefined) return writeState(directory, { missing })
  try {
    await keepClasses(join(directory, 'classes'))
    const { address, pid } = await openJvmBroker(join(directory, 'broker'), {
      onSpawn: (spawned) => writeState(directory, { pid: spawned }),
    })
    writeState(directory, { brokers: [address], pid: pid() })
  } catch (error) {
    writeState(directory, { ...readState(directory), missing: (error as Error).message })
  }
}

const stateFile = 'state.json'

export function readState(directory: string): BrokerState | undefined {
  const path = join(directory, stateFile)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BrokerState) : undefined
}

function writeState(directory: string, state: BrokerState): void {
  const path = join(directory, stateFile)
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}
