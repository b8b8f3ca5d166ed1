/** Apache Kafka's own image, by the docker command: no library, because the few commands are all that is needed. */
import { spawnSync } from 'node:child_process'
import kafkajs from 'kafkajs'
import { kafkaVersion } from './jvm.ts'
import { until } from '../wait.ts'

export type DockerBroker = { address: string; container: string }

const { Kafka, logLevel } = kafkajs
const image = `apache/kafka:${kafkaVersion}`

export function findDockerProblem(): string | undefined {
  const { error, status } = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'])
  if (error !== undefined) return 'there is no docker'
  return status === 0 ? undefined : 'docker has no engine that answers'
}

/** `port` is the one outside: it is advertised, so it must be known before the start. */
export async function startDockerBroker(port: number): Promise<DockerBroker> {
  const settings = {
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
  }
  const environment = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const container = docker(['run', '-d', '-p', `127.0.0.1:${port}:9092`, ...environment, image]).trim()
  const broker = { address: `127.0.0.1:${port}`, container }
  await untilStarted(broker)
  return broker
}

export async function startAgain(broker: DockerBroker): Promise<void> {
  docker(['start', broker.container])
  await untilStarted(broker)
}

export function endDockerBroker(container: string, signal: 'SIGTERM' | 'SIGKILL'): void {
  docker(signal === 'SIGKILL' ? ['kill', container] : ['stop', container])
}

export function removeDockerBroker(container: string): void {
  docker(['rm', '-f', '-v', container])
}

/** A port that is forwarded answers before the broker does, so ask the broker itself. */
async function untilStarted({ address, container }: DockerBroker): Promise<void> {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const answers = async () => {
    const admin = kafka.admin()
    try {
      await admin.connect()
      await admin.listTopics()
      return true
    } catch {
      return false
    } finally {
      await admin.disconnect()
    }
  }
  const describe = () => `The Kafka container does not start:\n${docker(['logs', container])}`
  await until(answers, Boolean, { describe })
}

function docker(command: string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`docker ${command[0]}: ${stderr}`)
  return stdout
}
