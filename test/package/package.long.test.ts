/** The npm package as a person gets it: packed, installed into an empty folder without scripts, and run there. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundled } from '../../scripts/dist-contents.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { childEnvironment } from '../support/processes/child.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'
import { fileDirectory } from '../support/directories.ts'
import { readAssigned, deliver } from '../support/processes/embedded.ts'

const root = join(import.meta.dirname, '../..')
type Locked = { packages: Record<string, unknown> }
const mostPackages = 47
const directory = fileDirectory()
let tarball: string
let installed: string
let listed: string[]

beforeAll(() => {
  const [packed] = JSON.parse(npm(root, ['pack', '--json', '--pack-destination', directory])) as {
    filename: string
    files: { path: string }[]
  }[]
  tarball = join(directory, packed!.filename)
  listed = packed!.files.map(({ path }) => path)
  installed = join(directory, 'installed')
  mkdirSync(installed)
  npm(installed, [
    'install',
    '--prefix',
    installed,
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    tarball,
  ])
})

function npm(cwd: string, words: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`)
  return stdout
}

/** A folder of its own for each run: `data` and `.env` are of the folder where a command is given. */
function makeFolder(): string {
  return mkdtempSync(join(directory, 'folder-'))
}

const command = () => join(installed, 'node_modules/.bin/rollcall')

type RunOptions = { cwd: string; env?: Record<string, string> }

function run(words: string[], { cwd, env = {} }: RunOptions) {
  const options = { cwd, env: childEnvironment(env), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(command(), words, options)
  return { status, stdout, stderr }
}

type Started = { process: ChildProcess; env: Record<string, string>; url: string; output(): string }

async function start(words: string[], cwd: string): Promise<Started> {
  const [ingest, dashboards, admin] = (await findFreePorts(3)).map(String) as [string, string, string]
  // How long a stop may take is not the subject.
  const stop = { SHUTDOWN_TIMEOUT_MS: '600000' }
  const env = { INGEST_PORT: ingest, DASHBOARD_PORT: dashboards, ADMIN_PORT: admin, ...stop }
  const child = spawn(command(), words, {
    cwd,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(output)
      return /Rollcall is running|"msg":"Running"/.test(output)
    },
    Boolean,
    { describe: () => output },
  )
  return { process: child, env, url: `http://127.0.0.1:${dashboards}`, output: () => output }
}

/** As npm does it on Ctrl-C: the terminal signals the command, too. */
async function interrupt({ process: child, output }: Started): Promise<void> {
  for (let signals = 0; signals < 2; signals++) child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code, output()).toBe(0)
}

async function stop({ process: child, output }: Started): Promise<void> {
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code, output()).toBe(0)
}

test('the package has what it needs to run, and nothing else', () => {
  const others = listed.filter((path) => !path.startsWith('dist/'))
  expect(others.toSorted()).toEqual([
    '.env.example',
    'LICENSE',
    'README.md',
    'bin/rollcall.js',
    'package.json',
  ])
  expect(listed.filter((path) => /\.tsx?$|test|sample-platform\//.test(path))).toEqual([])
  // docs/install.md states the size.
  expect(statSync(tarball).size).toBeLessThan(2_000_000)
  const packages = readdirSync(join(installed, 'node_modules'))
  for (const tool of ['esbuild', 'node', 'vitest', ...bundled]) expect(packages).not.toContain(tool)
  // It states their number, too.
  const locked = JSON.parse(
    readFileSync(join(installed, 'node_modules/.package-lock.json'), 'utf8'),
  ) as Locked
  expect(Object.keys(locked.packages).length).toBeLessThanOrEqual(mostPackages)
})

describe('rollcall', () => {
  test('start shows the first page, takes a webhook, counts it, answers SQL and an assistant, and is looked after as README.md says', async () => {
    const cwd = makeFolder()
    // As of its own folder, like every command.
    writeFileSync(join(cwd, '.env'), 'TIME_ZONE=Europe/Berlin\n')
    const started = await start(['start'], cwd)
    try {
      const { url, env, output } = started
      const page = await (await fetch(url)).text()
      expect(page).toContain('<title>')
      const assets = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
      expect(assets.map((path) => path.split('.').at(-1))).toEqual(
        expect.arrayContaining(['css', 'js', 'svg', 'woff2']),
      )
      for (const path of assets) expect((await fetch(`${url}${path}`)).status, path).toBe(200)

      const ingestUrl = /"ingest":"([^"]+)"/.exec(output())?.[1] ?? ''
      const body = Buffer.from(toBody('Created', 'a', monday + day))
      expect((await deliver(ingestUrl, body)).status).toBe(200)
      await until(
        () => readAssigned(url),
        (assigned) => assigned === 1,
      )
      const counted = await fetch(`${url}/api/sql`, {
        method: 'POST',
        body: 'SELECT count() FROM assignments',
      })
      expect(await counted.text()).toBe('1\n')

      const doctor = run(['doctor', '--json'], { cwd, env })
      const { findings } = JSON.parse(doctor.stdout) as { findings: { code: string }[] }
      const codes = findings.map(({ code }) => code)
      expect(codes).not.toContain('zone_unset')
      // Each ends well, or with its findings.
      const care = readFileSync(join(root, 'README.md'), 'utf8').match(
        /^npx rollcall (doctor|backup|tokens|erase|--help).*/gm,
      )
      expect(care).toHaveLength(5)
      for (const line of care ?? []) {
        const words = line.replace(/#.*/, '').trim().split(/ +/).slice(2)
        const { status, stderr } = run(
          words.map((word) => word.replace('/mnt/b', join(directory, 'backup'))),
          { cwd, env },
        )
        expect([line, status, stderr]).toEqual([line, words[0] === 'doctor' ? 3 : 0, expect.any(String)])
      }
    } finally {
      await interrupt(started)
    }
    expect(readdirSync(cwd).toSorted()).toEqual(['.env', 'data'])
  })

  test('demo begins to load its company, draws its charts, and ends when it is told to', async () => {
    const started = await start(['demo'], makeFolder())
    try {
      // `manager-on-demo` waits for all of it.
      await until(
        () => readAssigned(started.url),
        (assigned) => assigned > 100,
      )
      const page = await (await fetch(started.url)).text()
      expect(page).toContain('Sample data.')
      // Drawn by a thread of its own.
      expect(page).toMatch(/<svg[^>]+viewBox="0 0 1000 240"/)
    } finally {
      await stop(started)
    }
  })

  test('lists its commands, and says which Node it needs on one that is too old', () => {
    const cwd = makeFolder()
    expect(run(['--help'], { cwd })).toMatchObject({ status: 0, stdout: expect.stringContaining('demo') })
    const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.12.0'})`
    expect(run(['start'], { cwd, env: { NODE_OPTIONS: `--import="${older}"` } })).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'Rollcall needs Node 24 or newer; this is 22.12.0. One for Rollcall alone: npx -p node@24 -p rollcall rollcall start\n',
    })
  })
})
