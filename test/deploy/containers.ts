/**
 * Builds every image and runs them as their documents say: embedded mode hardened and killed, the compose file by both commands
 * of its header, with Kafka away and with ClickHouse away. `npm run containers -- long` adds deploy/one-machine. Uses the Docker at hand,
 * with the images of others; without one stand-ins.sh starts a daemon of its own.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'

const isLong = process.argv[2] === 'long'
const clone = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'rollcall-containers-'))
const standIns = join(import.meta.dirname, 'stand-ins.sh')
const isOwn = spawnSync('docker', ['info']).status !== 0
const env: NodeJS.ProcessEnv = { ...process.env, DOCKER_BUILDKIT: '1' }
if (isOwn) env['DOCKER_HOST'] = `unix://${directory}/docker.sock`
const client = isOwn ? '/usr/bin/docker' : 'docker'
const token = 'fedcba9876543210fedcba9876543210fedcba9876543210'

const began = performance.now()
const say = (line: string) => console.log(`[${Math.round((performance.now() - began) / 1000)} s] ${line}`)
let failed = 0
let passed = 0

async function check(what: string, run: () => unknown): Promise<void> {
  try {
    await run()
    passed += 1
    say(`ok: ${what}`)
  } catch (error) {
    failed += 1
    say(`FAILED: ${what}\n${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`)
  }
}

function must(condition: unknown, found: unknown): void {
  if (condition !== true)
    throw new Error(`Found: ${typeof found === 'string' ? found : JSON.stringify(found)}`)
}

async function until(seconds: number, read: () => unknown): Promise<void> {
  for (const end = performance.now() + seconds * 1000; ; await sleep(500)) {
    try {
      await read()
      return
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

const running = new Set<number>()

/** What it prints, both streams; throws where it fails, unless `codes` allows its exit code. */
async function run(
  command: string,
  words: readonly string[],
  codes: (number | null)[] = [0],
): Promise<string> {
  // A group of its own, so that all of it can be ended.
  const child = spawn(command, words, { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) running.add(child.pid)
  const closed = once(child, 'close') as Promise<[number | null]>
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  if (child.pid !== undefined) running.delete(child.pid)
  const said = `${out}${err}`.trim()
  if (!codes.includes(code)) throw new Error(`${command} ${words.join(' ')}: ${code}\n${said.slice(-3_000)}`)
  return said
}
const docker = (words: string, ...more: string[]) => run(client, [...words.split(' '), ...more])

async function build(target: string): Promise<void> {
  const image = target === 'embedded' ? 'rollcall' : `rollcall-${target}`
  // A daemon of our own reaches the registry of packages as this machine does.
  await docker(`build . --target ${target} -t ${image}`, ...(isOwn ? ['--network', 'host'] : []))
}

type Answer = { status: number; text: string; ms: number }

function ask(url: string, { host, body }: { host?: string; body?: string } = {}): Promise<Answer> {
  const start = performance.now()
  const headers = { ...(host && { host }), ...(body && { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: body ? 'POST' : 'GET', headers, timeout: 20_000 },
      (answer) => {
        let said = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (said += piece))
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: said, ms: performance.now() - start }),
        )
      },
    )
    request.once('timeout', () => request.destroy(new Error(`No answer of ${url}`))).once('error', reject)
    request.end(body)
  })
}

function deliver(url: string, id: string): Promise<Answer> {
  const at = 1_767_657_600_000
  const user = { id: 7, name: 'Ada', email: 'ada@example.com', isDeleted: false, groups: [] }
  const challenge = { id: 'c1', displayTitle: 'First call' }
  const times = { createdAt: at - 86_400_000, updatedAt: at, dueDate: at + 518_400_000 }
  const state = { status: 'not_started', completionPercentage: 0, isCompleted: false }
  const challengeAssignment = { id, challengeId: 'c1', ...state, ...times }
  const event = {
    eventType: 'assignmentCreated.challenge',
    timestamp: at,
    user,
    challenge,
    challengeAssignment,
  }
  return ask(url, { body: JSON.stringify(event) })
}

async function takes(url: string, id: string): Promise<void> {
  const answer = await deliver(url, id)
  must(answer.status === 200, answer)
}

async function readAssigned(pages: string): Promise<number> {
  const { status, text } = await ask(`${pages}/api/metrics`)
  must(status === 200, `${status} ${text.slice(0, 200)}`)
  return (JSON.parse(text) as { metrics: { assigned: { value: number } } }).metrics.assigned.value
}

const counts = (pages: string, expected: number, seconds = 120) =>
  until(seconds, async () => {
    const assigned = await readAssigned(pages)
    must(assigned === expected, `${assigned} assigned, not ${expected}`)
  })

async function isHealthy(container: string): Promise<void> {
  const state = await docker(`inspect -f {{.State.Health.Status}} ${container}`)
  if (state !== 'healthy') throw new Error(`${state}\n${await docker(`logs --tail 20 ${container}`)}`)
}

async function portOf(container: string, port: number): Promise<string> {
  const address = await docker(`port ${container} ${port}/tcp`)
  return `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(address)?.[1]}`
}

/** `rollcall` in a container. */
type Inside = (words: readonly string[], codes?: number[]) => Promise<string>

/** Codes of what `rollcall doctor` finds in a container. */
async function findByDoctor(inside: Inside): Promise<string[]> {
  const said = await inside(['doctor', '--json', '--quiet'], [0, 3])
  const { findings } = JSON.parse(said.slice(said.indexOf('{'))) as { findings: { code: string }[] }
  // No platform is set here, and a disk may be nearly full.
  return findings.map(({ code }) => code).filter((code) => !['platform_unset', 'disk_low'].includes(code))
}

async function checkImages(): Promise<void> {
  for (const each of ['', '-ingest', '-consumer', '-dashboards', '-platform']) {
    const image = `rollcall${each}`
    await check(`${image}: licence, labels, a user who is not root, rollcall and no npx`, async () => {
      const look = 'test -s LICENSE && ! command -v npm npx && test "$(id -u)" = 1000 && rollcall --version'
      await docker(`run --rm --entrypoint sh ${image} -c`, look)
      const labels = await docker('inspect -f', '{{json .Config.Labels}}', image)
      must(labels.includes('"org.opencontainers.image.licenses":"Apache-2.0"'), labels)
    })
  }
}

async function checkEmbedded(): Promise<void> {
  const name = 'rollcall-check-embedded'
  const hardening = '--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --memory 2g'
  const settings =
    '-e DASHBOARD_AUTH=none-and-i-know -e TIME_ZONE=Europe/Berlin -e PUBLIC_INGEST_URL=https://in.example.com'
  const ports = '-p 127.0.0.1::8080 -p 127.0.0.1::3000'
  const start = async () => {
    await docker(`run -d --name ${name} ${hardening} ${ports} -v rollcall-check:/data ${settings} rollcall`)
    await until(120, () => isHealthy(name))
  }
  const inside: Inside = (words, codes) => run(client, ['exec', name, 'rollcall', ...words], codes)
  let pages = ''
  let ingest = ''
  const look = async () => {
    const { pathname } = new URL(await inside(['tokens', 'show']))
    pages = await portOf(name, 3000)
    ingest = `${await portOf(name, 8080)}${pathname}`
  }
  await check('embedded: hardened, it becomes healthy, and tokens show prints the address', async () => {
    await start()
    await look()
  })
  await check('embedded: every line of its log is JSON', async () => {
    const lines = (await docker(`logs ${name}`)).split('\n')
    // The engine itself writes the other line.
    for (const line of lines) if (!line.startsWith('Low memory system detected')) JSON.parse(line)
  })
  await check('embedded: a webhook is taken and counted', async () => {
    await takes(ingest, 'e1')
    await counts(pages, 1)
  })
  await check('embedded: unknown host names are refused, health is not', async () => {
    const refused = await ask(`${pages}/`, { host: 'evil.example' })
    must(refused.status === 421 && refused.text.includes('DASHBOARD_HOSTS'), refused)
    must((await ask(`${pages}/health/ready`, { host: 'evil.example' })).status === 200, 'not ready')
  })
  await check('embedded: doctor gives no false alarm', async () => {
    const codes = await findByDoctor(inside)
    must(codes.length === 0, codes)
  })
  await check(
    'embedded: killed and replaced it loses nothing, and its log does not tell the address again',
    async () => {
      await takes(ingest, 'e2')
      await docker(`rm -f ${name}`)
      await start()
      await look()
      await counts(pages, 2)
      must(!(await docker(`logs ${name}`)).includes(new URL(ingest).pathname), 'the token is in the log')
    },
  )
  await check('embedded: it stops by itself', async () => {
    await docker(`stop -t 30 ${name}`)
    must((await docker(`inspect -f {{.State.ExitCode}} ${name}`)) === '0', 'another exit code')
  })
  await check(
    'embedded: a data directory of another owner is named, with the user who needs it',
    async () => {
      const words = `run --rm --tmpfs /data:uid=0,mode=755 ${settings} rollcall`
      const said = await run(client, words.split(' '), [2])
      must(said.includes('chown -R 1000'), said)
    },
  )
  await docker(`rm -f ${name}`)
  await docker('volume rm rollcall-check')
}

type ComposeFile = {
  services: Record<
    string,
    { ports?: string[]; env_file?: string; ulimits?: { nofile: Record<string, number> }; build?: object }
  >
}

/** The file with free ports, its own `.env`, and as many open files as this machine allows. */
function toFreePorts(file: string, project: string, envFile: string): string {
  const whole = parse(readFileSync(join(clone, file), 'utf8'), { merge: true }) as ComposeFile
  const most = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Infinity
  for (const service of Object.values(whole.services)) {
    if (service.ports) service.ports = service.ports.map((port) => `127.0.0.1::${port.split(':').at(-1)}`)
    if (service.env_file) service.env_file = envFile
    const files = service.ulimits?.nofile
    for (const kind of Object.keys(files ?? {})) if (files) files[kind] = Math.min(most, files[kind] ?? 0)
  }
  const path = join(directory, `${project}.yml`)
  writeFileSync(path, stringify(whole))
  return path
}

/** `docker compose` where there is one. Debian's is the old one: it neither builds for us nor waits. */
function openCompose(file: string, project: string, given: Record<string, string>, profiles: string[] = []) {
  const hasPlugin = spawnSync(client, ['compose', 'version'], { env }).status === 0
  const envFile = join(directory, `${project}.env`)
  const lines = Object.entries(given).map((entry) => entry.join('='))
  writeFileSync(envFile, lines.join('\n'))
  const home = join(clone, file, '..')
  const files = [hasPlugin ? 'compose' : '--compatibility', '-p', project, '--project-directory', home]
  files.push('--env-file', envFile, '-f', toFreePorts(file, project, envFile))
  files.push(...profiles.flatMap((profile) => ['--profile', profile]))
  const command = hasPlugin ? client : 'docker-compose'
  const compose = (...words: string[]) => run(command, [...files, ...words])
  async function list(service?: string): Promise<string[]> {
    const said = await compose('ps', '-q', ...(service === undefined ? [] : [service]))
    return said.split('\n').filter((line) => /^[0-9a-f]{12,}$/.test(line))
  }
  return {
    compose,
    list,
    container: async (service: string) => (await list(service))[0] ?? '',
    inside:
      (service: string): Inside =>
      (words, codes) =>
        run(command, [...files, 'exec', '-T', service, 'rollcall', ...words], codes),
    /** `up --build --wait`. */
    async up(...flags: string[]): Promise<void> {
      await compose('up', isOwn ? '-d' : '--build', ...(hasPlugin ? ['--wait'] : []), ...flags)
      for (const id of await list()) await until(150, () => isHealthy(id))
    },
  }
}
type Compose = ReturnType<typeof openCompose>

/** Takes it down with all that it has stored, so nothing has time to end well. */
const discard = ['down', '-v', '-t', '1']

const settings = {
  INGEST_TOKENS: `lms=${token}`,
  PLATFORM_INGEST_TOKEN: token,
  CLICKHOUSE_PASSWORD: 'of-the-writer',
  CLICKHOUSE_DASHBOARDS_PASSWORD: 'of-the-dashboards',
  TIME_ZONE: 'Europe/Berlin',
}

async function checkCompose(
  { compose, container, inside, up }: Compose,
  withPlatform: Compose,
): Promise<void> {
  let pages = ''
  let ingest = ''
  const look = async () => {
    pages = await portOf(await container('dashboards'), 3000)
    ingest = `${await portOf(await container('ingest'), 8080)}/webhooks/${token}`
  }
  await check('compose: all services become healthy', async () => {
    await up()
    await look()
  })
  await check('compose: a webhook goes through Kafka into the numbers', async () => {
    await takes(ingest, 'd1')
    await counts(pages, 1)
  })
  await check('compose: unknown host names are refused', async () => {
    must((await ask(`${pages}/`, { host: 'evil.example' })).status === 421, 'not refused')
  })
  await check('compose: without Kafka a webhook is taken, and counted when Kafka is back', async () => {
    await compose('stop', 'kafka')
    await takes(ingest, 'd2')
    await compose('start', 'kafka')
    await counts(pages, 2)
  })
  await check(
    'compose: without ClickHouse pages and API soon answer 503, none after more than 3 s',
    async () => {
      await compose('stop', 'clickhouse')
      try {
        for (const path of ['/', '/api/metrics', '/health/ready', '/overdue']) {
          // A cached answer may be given for some seconds more.
          await until(10, async () => {
            const { status, text: said, ms } = await ask(`${pages}${path}`)
            must([200, 503].includes(status) && ms < 3_000, `${path}: ${status} after ${Math.round(ms)} ms`)
            must(status === 503 && said.length > 10, `${path}: ${status}`)
          })
        }
      } finally {
        await compose('start', 'clickhouse')
      }
      await until(60, async () => must((await ask(`${pages}/health/ready`)).status === 200, 'not ready'))
      await counts(pages, 2)
    },
  )
  await check('compose: the command line answers in the consumer, and says so in the others', async () => {
    must((await inside('consumer')(['ledger'])).includes('lms'), 'no ledger')
    for (const service of ['ingest', 'dashboards']) {
      const said = await inside(service)(['ledger'], [2])
      must(said.includes('consumer'), said)
    }
  })
  for (const service of ['ingest', 'consumer', 'dashboards']) {
    await check(`compose: doctor gives no false alarm in ${service}`, async () => {
      const codes = await findByDoctor(inside(service))
      must(codes.length === 0, codes)
    })
  }
  await check('compose: taken down and up again, nothing is lost', async () => {
    await compose('down')
    await up()
    await look()
    await counts(pages, 2)
  })
  await check('compose: with the profile platform all become healthy, and its company arrives', async () => {
    await withPlatform.up()
    await until(120, async () => {
      const assigned = await readAssigned(pages)
      must(assigned > 100, `${assigned} assigned`)
    })
  })
}

/** deploy/one-machine: embedded mode behind Caddy. */
async function checkOneMachine(): Promise<void> {
  if (isOwn) await run('bash', [standIns, 'caddy', directory])
  const machine = openCompose('deploy/one-machine/docker-compose.yml', 'rollcall-machine', {
    DOMAIN: 'localhost',
  })
  await check('one-machine: both become healthy', () => machine.up())
  await check('one-machine: an owner is made, and Caddy passes webhooks and pages on by HTTPS', async () => {
    await machine.inside('rollcall')(['user', 'add', 'ada@example.com', '--role', 'owner', '--no-password'])
    const address = new URL(await machine.inside('rollcall')(['tokens', 'show']))
    must(address.origin === 'https://localhost', address.origin)
    address.port = new URL(await portOf(await machine.container('caddy'), 443)).port
    const curl = (...words: string[]) => run('curl', ['-sk', '-w', ' %{http_code}', ...words])
    const event = ['-H', 'content-type: application/json', '-d', '{"eventType":"x","timestamp":1}']
    const taken = await curl(...event, address.href)
    must(taken.endsWith(' 200'), taken)
    const page = await curl(`${address.origin}/sign-in`)
    must(page.endsWith(' 200'), page.slice(-200))
  })
  await machine.compose(...discard)
}

async function runAll(): Promise<void> {
  if (isOwn) {
    say('No Docker answers here: a daemon of our own, and stand-ins for the images of others')
    await run('bash', [standIns, 'start', directory])
    say('the daemon and its base images are there')
  }
  const kafka = isOwn ? run('bash', [standIns, 'kafka', directory]) : undefined
  // Beside the builds; what went wrong is thrown where it is awaited.
  kafka?.catch(() => {})
  for (const target of ['embedded', 'ingest', 'consumer', 'dashboards', 'platform']) await build(target)
  say('built: embedded, ingest, consumer, dashboards, platform')
  await checkImages()
  await checkEmbedded()
  await kafka
  if (isOwn) await run('bash', [standIns, 'clickhouse', directory])
  say('Kafka and ClickHouse are there')
  const open = (profiles: string[]) => openCompose('docker-compose.yml', 'rollcall-check', settings, profiles)
  const [plain, withPlatform] = [open([]), open(['platform'])]
  await checkCompose(plain, withPlatform)
  if (failed > 0) say((await plain.compose('logs', '--tail', '15')).slice(-8_000))
  await withPlatform.compose(...discard)
  if (isLong) await checkOneMachine()
}

const kinds = [
  ['container', ['ls', '-a'], ['rm', '-fv']],
  ['network', ['ls'], ['rm']],
  ['volume', ['ls'], ['rm', '-f']],
] as const

/** Leaves nothing behind, also where it is stopped in the middle. */
function end(): void {
  for (const pid of running) process.kill(-pid, 'SIGKILL')
  if (isOwn) return void spawnSync('bash', [standIns, 'stop', directory], { stdio: 'inherit' })
  const ours = ['check', 'machine'].flatMap((name) => ['--filter', `name=rollcall-${name}`])
  for (const [kind, list, remove] of kinds) {
    const ids = execFileSync(client, [kind, ...list, '-q', ...ours], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
    if (ids.length > 0) spawnSync(client, [kind, ...remove, ...ids])
  }
  rmSync(directory, { recursive: true })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (end(), process.exit(1)))
try {
  await runAll()
} catch (error) {
  failed += 1
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  end()
}
console.log(`Containers: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
