/**
 * The images cannot be built where there is no Docker. What is in each is known from the Dockerfile, though: here the same files
 * are put together, without chDB and without the packages that are taken out, and the command is run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }
import { readDockerfile, toImage } from './dockerfile.ts'

const root = join(import.meta.dirname, '../..')
const stages = readDockerfile()

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'rollcall-image-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Locked = Record<string, { dev?: boolean; devOptional?: boolean }>

/** The root of an image's /app: its sources copied, its packages linked. */
function build(target: string): string {
  const { sources, removed } = toImage(stages, target)
  const app = join(directory, target)
  for (const source of sources) cpSync(join(root, source), join(app, source), { recursive: true })
  const isRemoved = (name: string) =>
    removed.some((gone) =>
      gone.endsWith('*') ? name.startsWith(gone.slice(0, -1)) : name === gone || name.startsWith(`${gone}/`),
    )
  for (const [path, { dev }] of Object.entries(lockfile.packages as Locked)) {
    const name = path.replace('node_modules/', '')
    if (path === '' || name.includes('node_modules/') || dev === true || isRemoved(name)) continue
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
  const [code] = (await once(child, 'exit')) as [number | null]
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

  test('the stand-in platform has all that its command imports', async () => {
    const { code, output } = await run('platform', {}, ['--help'])
    expect(output).toContain('A stand-in learning platform')
    expect(code).toBe(0)
  })
})

describe('every image', () => {
  const targets = ['ingest', 'consumer', 'dashboards', 'platform']

  test("runs as a user other than root, without chDB, on the project's Node version", () => {
    const { node } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies as { node: string }
    for (const target of targets) {
      const image = toImage(stages, target)
      expect(image.user).toBe('node')
      expect(image.removed).toEqual(expect.arrayContaining(['chdb', '@chdb']))
    }
    for (const { from } of stages.values()) {
      if (from.includes(':')) expect(from).toBe(`node:${node}-alpine`)
    }
  })

  test('gets nothing that .dockerignore keeps out of the build', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    expect(ignored.split('\n')).toEqual(expect.arrayContaining(['.env', 'data', 'node_modules', 'test']))
    for (const target of targets) {
      for (const source of toImage(stages, target).sources) {
        expect(existsSync(join(root, source)), source).toBe(true)
        expect(source).not.toMatch(/^test(\/|$)/)
      }
    }
    expect(readdirSync(root)).toContain('.dockerignore')
  })
})
