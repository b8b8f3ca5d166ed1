import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createPrinter } from '../../services/cli/print.ts'
import { testDirectory } from '../support/directories.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'

const root = join(import.meta.dirname, '../..')

const run = (...words: string[]) => runCliInside(words, {})

const names =
  'start demo register pull reconcile backfill replay erase tokens doctor receipt ledger migrate export-events import-events'.split(
    ' ',
  )

describe('rollcall', () => {
  test('lists its commands with the exit codes', async () => {
    const help = await run('--help')
    expect(help.code).toBe(0)
    for (const name of names) expect(help.out).toContain(`  ${name} `)
    expect(help.out).toContain('3  done, and problems were found')
  })

  test.each([{ KAFKA_BROKERS: 'kafka:9092' }, { CLICKHOUSE_URL: 'http://clickhouse:8123' }])(
    'says where to run a command about the store, in a process that has only %o',
    async (env) => {
      const directory = testDirectory()
      const { code, err } = await runCliInside(['ledger'], { DATA_DIR: directory, ...env })
      expect([code, err]).toEqual([2, expect.stringContaining('Run it where the consumer runs.')])
      expect(readdirSync(directory)).toEqual([])
    },
  )

  test('loads neither the store nor the reports for its help', () => {
    const hook =
      `import { registerHooks } from 'node:module'; ` +
      `registerHooks({ load(url, context, next) { console.error(url); return next(url, context) } })`
    const words = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, 'services/cli/main.ts', '--help']
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stderr).toContain('services/cli/program.ts')
    expect(stderr).not.toMatch(/@clickhouse|chdb|hucre|jose|\/reporting\/|\/language\/|\/dashboards\//)
  })

  test('ends without an error when the reader of its help leaves', async () => {
    expect(await runCli(['--help'], {}, { isUnread: true })).toEqual({ code: 0, out: '', err: '' })
  })

  test('takes a Ctrl-C that comes twice at once as one, and finishes what it does', () => {
    const interrupt = `process.on('newListener', (name, listen) => name === 'SIGINT' && [listen('SIGINT'), listen('SIGINT')])`
    const words = [
      '--import',
      `data:text/javascript,${encodeURIComponent(interrupt)}`,
      'services/cli/main.ts',
      '--help',
    ]
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
    expect(stdout).toContain('Exit codes')
    expect(status).toBe(0)
  })

  test.each([
    ['user', 'add', 'ada@example.com'],
    ['token', 'create', 'nightly'],
  ])('%s %s refuses a role that is none before it asks for anything', async (...words) => {
    const refused = await run(...words, '--role', 'king')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Allowed choices are owner, analyst,') })
  })

  test.each(names)('%s has a help of its own', async (name) => {
    const help = await run(name, '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain(`rollcall ${name}`)
  })

  test.each([
    [['erasee']],
    [['erase']],
    [['replay']],
    [['replay', '--failed', '--from-log']],
    [['replay', '--from-log', '--dry-run']],
    [['backfill', '--heal']],
    [['backfill', '--from', 'yesterday']],
    [['reconcile', '--people', '0']],
    [['ledger', '--hours', '0']],
    [['receipt', 'no-receipt']],
    [['export', 'events']],
    [['mcp']],
    [['export-events']],
    [['migrate', '--users']],
    [['tokens', 'new', 'no such name!']],
  ])('%j cannot be asked for, says why, and exits 2', async (words) => {
    const answer = await run(...words)
    expect(answer.code).toBe(2)
    expect(answer.err).not.toBe('')
  })

  test('answers one JSON object where words cannot be parsed', async () => {
    const answer = await run('erase', '--json')
    expect(answer.code).toBe(2)
    expect(JSON.parse(answer.out)).toEqual({ outcome: 'error', message: expect.stringContaining('--user') })
  })

  test('says in words which argument is invalid where nothing runs', async () => {
    const wrong = await runCli(['erase', '--user', ''], { DATA_DIR: testDirectory() })
    expect(wrong).toEqual({ code: 2, out: '', err: '--user must not be empty.\n' })
  })

  test('makes DATA_DIR for its owner only, also where migrate is the first to need it', async () => {
    const directory = join(testDirectory(), 'data')
    expect(await runCli(['migrate'], { DATA_DIR: directory })).toMatchObject({ code: 0 })
    expect(statSync(directory).mode & 0o077).toBe(0)
  })

  test('starts by npx on the Node that the project brings, and passes on how what it started has ended', () => {
    const start = (words: string[], env: Record<string, string> = {}) =>
      spawnSync(join(root, 'bin/rollcall.js'), words, {
        cwd: root,
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      })
    expect(start(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const started = start(['start'], { INGEST_PORT: 'not-a-port' })
    expect(started.status).toBe(2)
    expect(started.stderr).toContain('INGEST_PORT')
  })

  test('says in one line that the packages of a clone are missing', () => {
    const clone = testDirectory()
    for (const path of ['bin', 'package.json']) cpSync(join(root, path), join(clone, path), { recursive: true })
    mkdirSync(join(clone, 'services'))
    const { status, stderr } = spawnSync(process.execPath, [join(clone, 'bin/rollcall.js'), 'start'], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^The packages of Rollcall are not installed in .+: npm ci\n$/),
    ])
  })
})

describe('progress', () => {
  function show(isTTY: boolean): string {
    const err = Object.assign(new PassThrough(), { isTTY })
    let clock = 0
    const printer = createPrinter({ out: new PassThrough(), err }, { quiet: false, now: () => clock })
    for (let done = 0; done <= 100; done++, clock += 10) printer.report({ step: 'Copying', done, total: 100 })
    printer.report({ step: 'Comparing' })
    printer.endProgress()
    return String(err.read())
  }

  test('is one line that changes on a terminal, and a few lines elsewhere', () => {
    const live = show(true)
    expect(live.split('\n')).toHaveLength(2)
    expect(live).toContain('\r\u001b[KCopying: 50 of 100')
    expect(show(false)).toBe('Copying: 0 of 100\nCopying: 100 of 100\nComparing ...\n')
  })
})
