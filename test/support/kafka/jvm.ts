/**
 * Apache Kafka itself, one node in KRaft mode on the loopback, without Docker: Java 17 or newer, and the broker's jars from
 * Maven Central (about 45 MB), fetched by Maven once per version into the user's cache.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from '../processes/ports.ts'
import { until } from '../wait.ts'

const kafkaVersion = '4.3.0'

/** 45 MB come over the network, once. */
export const jarsTimeoutMs = 10 * 60_000

/** The user of the listener that asks for one, where there is one. */
export const brokerUser = { username: 'rollcall', password: 'of-the-test-broker' }
/** Another one there, who may do what somebody has granted. */
export const brokerGuest = { username: 'guest', password: 'of-the-guest' }

/** Small and quick to start: a test's broker does little, next to the tests. */
const smallOptions = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
/** As Kafka's own start script has it, less memory. */
export const serverOptions = ['-Xms512m', '-Xmx512m', '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20']

export type JvmBroker = {
  address: string
  /** With TLS and SASL/PLAIN, if it was asked for; its certificate is in `ca.pem`. */
  secureAddress: string
  /** Of the last start. */
  pid(): number
  /** On the same data. */
  start(): Promise<void>
  /** Waits until it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export type JvmBrokerOptions = {
  isSecure?: boolean
  options?: readonly string[]
  onSpawn?: (pid: number) => void
}

/** The reason why it cannot run here, in words for a person. */
export function findJvmProblem(): string | undefined {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' })
  if (java.error !== undefined) return 'there is no java'
  const major = Number(/version "(\d+)/.exec(java.stderr)?.[1])
  if (!(major >= 17)) return `java is version ${major}, 17 is needed`
  if (existsSync(jarsDirectory())) return undefined
  if (spawnSync('mvn', ['-v']).error !== undefined) return 'there is no mvn (Maven) to fetch the broker with'
  return undefined
}

/** Resolves once the broker answers. Its data are in the directory. */
export async function openJvmBroker(
  directory: string,
  { isSecure = false, options = smallOptions, onSpawn }: JvmBrokerOptions = {},
): Promise<JvmBroker> {
  const [port, controllerPort, securePort] = (await findFreePorts(3)) as [number, number, number]
  const jars = await prepareJars()
  const properties = join(directory, 'server.properties')
  const log = join(directory, 'broker.log')
  mkdirSync(join(directory, 'data'), { recursive: true })
  writeFileSync(properties, toProperties(directory, port, controllerPort, isSecure ? securePort : undefined))
  if (isSecure) makeCertificate(directory)
  // The file that `kafka-storage format` would write, by a start of Java of its own.
  const ids = [`cluster.id=${toKafkaId()}`, `directory.id=${toKafkaId()}`]
  writeFileSync(join(directory, 'data/meta.properties'), ['version=1', 'node.id=1', ...ids, ''].join('\n'))
  let pid = NaN

  async function start(): Promise<void> {
    const output = openSync(log, 'a')
    const java = spawn('java', [...options, ...javaOptions(jars), 'kafka.Kafka', properties], {
      // A group of its own: Ctrl-C in the terminal must not take it away from tests that still end.
      detached: true,
      stdio: ['ignore', output, output],
    })
    java.unref()
    pid = java.pid as number
    onSpawn?.(pid)
    const readLog = () => `The Kafka broker does not start:\n${readFileSync(log, 'utf8').slice(-3_000)}`
    const isStarted = () => {
      if (java.exitCode === null && java.signalCode === null) return answers(port)
      throw new Error(readLog())
    }
    await until(isStarted, Boolean, { describe: readLog })
  }
  await start()
  return {
    address: `127.0.0.1:${port}`,
    secureAddress: `127.0.0.1:${securePort}`,
    pid: () => pid,
    start,
    end: (signal) => endJvmBroker(pid, signal),
  }
}

/** Ends it and waits until it is gone. */
export async function endJvmBroker(pid: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  send(pid, signal)
  await until(() => !send(pid, 0))
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Loaded and checked classes of a broker. The JVM itself leaves alone what another version or other jars have made. */
const toClasses = (jars: string) => `${jars}.jsa`

/** Once on a machine, by a broker that does nothing else: loading classes is two fifths of the processor time of a start. */
export async function keepClasses(directory: string): Promise<void> {
  const classes = toClasses(await prepareJars())
  if (existsSync(classes)) return
  const written = `${classes}.${randomUUID()}`
  const options = [...smallOptions, `-XX:ArchiveClassesAtExit=${written}`]
  await (await openJvmBroker(directory, { options })).end('SIGTERM')
  if (existsSync(written)) renameSync(written, classes)
}

function javaOptions(jars: string): string[] {
  const classes = existsSync(toClasses(jars)) ? [`-XX:SharedArchiveFile=${toClasses(jars)}`] : []
  return [...classes, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', join(jars, '*')]
}

function toProperties(directory: string, port: number, controllerPort: number, securePort?: number): string {
  const listeners = [
    `PLAINTEXT://127.0.0.1:${port}`,
    ...(securePort ? [`SECURE://127.0.0.1:${securePort}`] : []),
  ]
  const { username, password } = brokerUser
  const secure = {
    'listener.name.secure.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.secure.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}" user_${brokerGuest.username}="${brokerGuest.password}";`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:ANONYMOUS;User:${username}`,
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': join(directory, 'broker.p12'),
    'ssl.keystore.password': password,
    'ssl.key.password': password,
  }
  const properties = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${controllerPort}`].join(','),
    'advertised.listeners': listeners.join(','),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
    'log.dirs': join(directory, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    ...(securePort !== undefined && secure),
  }
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

function makeCertificate(directory: string): void {
  const store = [
    '-keystore',
    join(directory, 'broker.p12'),
    '-storetype',
    'PKCS12',
    '-storepass',
    brokerUser.password,
  ]
  const keytool = (options: string[]) => {
    const { status, stdout, stderr } = spawnSync('keytool', [...options, ...store], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`keytool (of the Java that is needed) fails: ${stdout}${stderr}`)
  }
  const identity = [
    '-alias',
    'broker',
    '-dname',
    'CN=localhost',
    '-ext',
    'SAN=IP:127.0.0.1',
    '-validity',
    '2',
  ]
  keytool(['-genkeypair', '-keyalg', 'EC', '-groupname', 'secp256r1', ...identity])
  keytool(['-exportcert', '-rfc', '-alias', 'broker', '-file', join(directory, 'ca.pem')])
}

/** As Kafka writes it: 16 random bytes in base64 for addresses. */
const toKafkaId = () => randomBytes(16).toString('base64url')

function cacheDirectory(): string {
  const { XDG_CACHE_HOME } = process.env
  const ofUser = platform() === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(XDG_CACHE_HOME || ofUser, 'rollcall')
}

function jarsDirectory(): string {
  return join(cacheDirectory(), `kafka-${kafkaVersion}`)
}

async function prepareJars(): Promise<string> {
  const jars = jarsDirectory()
  if (existsSync(jars)) return jars
  const directory = `${jars}.${randomUUID()}`
  mkdirSync(directory, { recursive: true })
  const pom = join(directory, 'pom.xml')
  writeFileSync(pom, toPom())
  const libraries = join(directory, 'libs')
  const mvn = spawn(
    'mvn',
    ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: jarsTimeoutMs,
    },
  )
  let output = ''
  mvn.stdout.on('data', (chunk) => (output += chunk))
  mvn.stderr.on('data', (chunk) => (output += chunk))
  const status = await new Promise((resolve) => mvn.once('close', resolve))
  // Whole or not at all, also when two test runs fetch at the same time.
  if (status === 0 && !existsSync(jars)) renameSync(libraries, jars)
  rmSync(directory, { recursive: true })
  if (status !== 0) throw new Error(`Maven could not fetch Kafka ${kafkaVersion}:\n${output.slice(-2_000)}`)
  return jars
}

function toPom(): string {
  const dependency = (group: string, artifact: string, version: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rollcall</groupId><artifactId>test-broker</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency('org.apache.kafka', 'kafka_2.13', kafkaVersion)}
    ${dependency('org.slf4j', 'slf4j-simple', '1.7.36')}
  </dependencies>
</project>
`
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
