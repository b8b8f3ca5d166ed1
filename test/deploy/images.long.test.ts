/**
 * The images cannot be built where there is no Docker, and no image was built here. Their contents are known from the Dockerfile,
 * though: here the build context is built as the Dockerfile does, each image's files are put together without the packages that are
 * taken out, and its command is run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { readDockerfile, toImage } from './dockerfile.ts'
import { fileDirectory } from '../support/directories.ts'

const root = join(import.meta.dirname, '../..')
const stages = readDockerfile()
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')

const directory = fileDirectory()
/** The build context of the stage `build`. */
let context: string
beforeAll(() => {
  context = join(directory, 'build')
  const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.stdout.trim().split('\n')) {
    const isIgnored = ignored.some((name) => file === name || file.startsWith(`${name}/`))
    if (isIgnored || file.endsWith('.test.ts') || !existsSync(join(root, file))) continue
    cpSync(join(root, file), join(context, file))
  }
  symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'))
  const [command = '', ...words] = stages.get('build')?.runs.at(-1)?.split(' ') ?? []
  const { status, stderr } = spawnSync(command === 'node' ? process.execPath : command, words, {
    cwd: context,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})

type Locked = Record<string, { dev?: boolean; devOptional?: boolean }>

/** The root of an image's /app: its files copied, its packages linked. */
function build(target: string): string {
  const { copied, removed } = toImage(stages, target)
  const app = join(directory, target)
  for (const file of ['dist', ...copied]) cpSync(join(context, file), join(app, file), { recursive: true })
  for (const [path, { dev }] of Object.entries(lockfile.packages as Locked)) {
    const name = path.replace('node_modules/', '')
    const isRemoved = removed.some((gone) => name === gone || name.startsWith(`${gone}/`))
    if (path === '' || name.includes('node_modules/') || dev === true || isRemoved) continue
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    symlinkSync(join(root, path), join(app, path))
  }
  return app
}

async function run(target: string, env: Record<string, string>, more: string[] = []) {
  const app = build(target)
  const [, ...words] = toImage(stages, target).command
  // Linked packages must find one another where they are linked, as in an image, not where they come from.
  const child = spawn(process.execPath, ['--preserve-symlinks', ...words, ...more], { cwd: app, env })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Not at its exit: the last of its output may come after that.
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

describe('the image of', () => {
  test.each([
    ['ingest', ['KAFKA_BROKERS', 'INGEST_TOKENS']],
    ['consumer', ['KAFKA_BROKERS', 'CLICKHOUSE_URL']],
    ['dashboards', ['CLICKHOUSE_URL']],
  ])('%s has all that its command imports, and says what it needs', async (target, needed) => {
    const { code, output } = await run(target, {})
    expect(output).toContain('The configuration cannot be used')
    for (const name of needed) expect(output).toContain(name)
    expect(code).toBe(2)
  })

  test('embedded mode has all that its command and rollcall import', async () => {
    // On an address that others reach, it asks how people sign in before it opens anything.
    const { code, output } = await run('embedded', { HOST: '0.0.0.0', DATA_DIR: join(directory, 'data') })
    expect([code, output]).toEqual([2, expect.stringContaining('DASHBOARD_AUTH')])
    expect(existsSync(join(directory, 'data'))).toBe(false)
    const words = [join(directory, 'embedded/bin/rollcall.js'), '--version']
    expect(spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout).toBe(`${packageJson.version}\n`)
  })

  test('the stand-in platform has all that its command imports', async () => {
    const { code, output } = await run('platform', {}, ['--help'])
    expect(output).toContain('A stand-in learning platform')
    expect(code).toBe(0)
  })
})

describe('every image', () => {
  const targets = ['embedded', 'ingest', 'consumer', 'dashboards', 'platform']

  test("runs as a user other than root, on the project's Node version, and is asked whether it is healthy", () => {
    for (const target of targets) {
      const image = toImage(stages, target)
      expect(image.user).toBe('node')
      expect(image.hasHealthCheck).toBe(true)
      // Packages with native code are installed on the system that they run on.
      expect(image.packagesFrom).toBe(image.from)
    }
    for (const { from } of stages.values()) {
      if (from.includes(':'))
        expect(from).toMatch(new RegExp(`^node:${packageJson.devDependencies.node}-(alpine|bookworm-slim)$`))
    }
  })

  test('of distributed mode is without chDB; the one of embedded mode has it, on glibc, and a volume', () => {
    for (const target of targets.slice(1)) {
      expect(toImage(stages, target).removed).toEqual(expect.arrayContaining(['chdb', '@chdb']))
    }
    const embedded = toImage(stages, 'embedded')
    expect(embedded.removed).toEqual([])
    expect(embedded.from).toContain('bookworm-slim')
    expect(embedded.volumes).toEqual(['/data'])
  })

  test('gets nothing that .dockerignore keeps out of the build', () => {
    expect(ignored).toEqual(expect.arrayContaining(['.env', 'data', 'dist', 'node_modules', 'test']))
    for (const target of targets)
      for (const file of toImage(stages, target).copied) expect(existsSync(join(context, file)), file).toBe(true)
  })
})
