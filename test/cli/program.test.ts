import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { toNames } from '../../services/cli/command.ts'
import { commands } from '../../services/cli/commands.ts'
import { createReport } from '../../services/cli/run-command.ts'
import { version } from '../../services/runtime/version.ts'
import { testDirectory } from '../support/directories.ts'
import { createChild } from '../support/processes/child.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'

const root = join(import.meta.dirname, '../..')

const run = (...words: string[]) => runCliInside(words, {})
const listed = commands.map((command) => ({ name: toNames(command).join(' ') }))

describe('rollcall', () => {
  test('--help lists the commands and the exit codes', async () => {
    const help = await run('--help')
    expect(help.code).toBe(0)
    for (const { name } of listed) expect(help.out).toContain(`  ${name.split(' ')[0]} `)
    expect(help.out).toContain('3  done, and problems were found')
  })

  test('docs/cli.md lists every command', () => {
    const text = readFileSync(join(root, 'docs/cli.md'), 'utf8')
    expect(listed.filter(({ name }) => !text.includes(`\`${name}`)).map(({ name }) => name)).toEqual([])
  })

  test.each([{ KAFKA_BROKERS: 'kafka:9092' }, { CLICKHOUSE_URL: 'http://clickhouse:8123' }])(
    'refuses a store command in a process that has only %o, and says where to run it',
    async (env) => {
      const directory = testDirectory()
      const { code, err } = await runCliInside(['ledger'], { DATA_DIR: directory, ...env })
      expect([code, err]).toEqual([2, expect.stringContaining('Run it where the consumer runs.')])
      expect(readdirSync(directory)).toEqual([])
    },
  )

  test('--help and --version of the program and of every command load no engine, report or page', () => {
    const script = `
      import { registerHooks } from 'node:module'
      import { Writable } from 'node:stream'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const { runProgram } = await import('./services/cli/program.ts')
      const { commands } = await import('./services/cli/commands.ts')
      const { toNames } = await import('./services/cli/command.ts')
      const answers = []
      const out = new Writable({ write: (text, _, done) => (answers.push(String(text)), done()) })
      const codes = []
      for (const names of [[], ...commands.map(toNames)])
        for (const option of ['--help', '--version']) {
          const context = { out, err: out, env: {}, signal: new AbortController().signal }
          await runProgram([...names, option], { ...context, setExitCode: (code) => codes.push(code) })
        }
      console.log(JSON.stringify({ loaded, answers, codes }))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const { loaded, answers, codes } = JSON.parse(stdout) as Record<'loaded' | 'answers' | 'codes', unknown[]>
    expect(codes).toEqual(Array(2 * (listed.length + 1)).fill(0))
    expect(answers.filter((text) => text === `${version}\n`)).toHaveLength(listed.length + 1)
    for (const { name } of listed) expect(answers.join('')).toContain(`Usage: rollcall ${name}`)
    const heavy =
      /@clickhouse|chdb|kafkajs|hucre|jose|\/open-embedded|\/reporting\/|\/language\/|\/dashboards\//
    expect(loaded.filter((url) => heavy.test(String(url)))).toEqual([])
  })

  const onStore = [
    'ledger; ledger forget x; doctor; log adopt; token create x --role analyst; tokens list',
    'tokens show; tokens revoke x; erase --user 7; replay --dry-run; pull',
    'register --check; backfill --all; backup nothere/backup; export-events nothere/file',
  ]
  test.each(onStore.flatMap((lines) => lines.split('; ')))(
    '%s refuses a DATA_DIR without a store and creates nothing',
    async (line) => {
      const DATA_DIR = join(testDirectory(), 'nothere')
      const answer = await runCliInside(line.replace('nothere', DATA_DIR).split(' '), { DATA_DIR })
      const err = `There is no Rollcall store in ${DATA_DIR}. Nothing was created.\n`
      expect(answer).toEqual({ code: 2, out: '', err })
      expect(existsSync(DATA_DIR)).toBe(false)
    },
  )

  test('ends without an error if the reader of a pipe ends first', async () => {
    expect(await runCli(['--help'], {}, { isUnread: true })).toEqual({ code: 0, out: '', err: '' })
  })

  test.each([
    ['erasee', 'Did you mean erase?'],
    ['erase --usr 7', 'Did you mean --user?'],
    ['erase', '--user is required.'],
    ['user add ada@example.com --role king', '--role must be one of owner, analyst, manager, nobody.'],
    ['token create nightly --role king', '--role must be one of owner, analyst, manager.'],
    ['token create nightly --role analyst --days abc', '--days must be a whole number from 1 to 9999.'],
    ['replay --id x', '--id must be a receipt'],
    ['replay --fix [1]', '--fix must be a JSON object.'],
    ['backfill --repair', 'Specify --user or --all.'],
    ['ledger --hours 0', '--hours must be a whole number'],
    ['ledger forget', "missing required argument 'spool'"],
    ['register --url foo', '--url must be a whole address'],
    ['export-events', "missing required argument 'file'"],
    ['import-events /nothere', 'There is no file /nothere.'],
    ['migrate --users', 'Use --users only with a ClickHouse server'],
    ['tokens new no!', '<name> must have'],
    ['mcp', "unknown command 'mcp'"],
  ])('%s is refused with the reason and exit code 2', async (line, reason) => {
    const answer = await run(...line.split(' '))
    expect(answer).toMatchObject({ code: 2, out: '', err: expect.stringContaining(reason) })
  })

  test('--json prints one JSON object for an invalid argument', async () => {
    for (const words of [['erase'], ['erase', '--unknown']]) {
      const answer = await run(...words, '--json')
      expect(answer.code).toBe(2)
      expect(JSON.parse(answer.out)).toEqual({ outcome: 'error', message: expect.stringContaining('--u') })
    }
  })

  test('migrate creates DATA_DIR for its owner only', async () => {
    const directory = join(testDirectory(), 'data')
    expect(await runCli(['migrate'], { DATA_DIR: directory })).toMatchObject({ code: 0 })
    expect(statSync(directory).mode & 0o077).toBe(0)
  })

  test('npx rollcall runs on the Node of the project and passes on the exit code', () => {
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

  test('start ends by itself if npx is killed, which starts it in a shell', async () => {
    const [INGEST_PORT = '', DASHBOARD_PORT = '', ADMIN_PORT = ''] = (await findFreePorts(3)).map(String)
    const DATA_DIR = testDirectory()
    copyStoreTemplate(join(DATA_DIR, 'clickhouse'))
    const env = { INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT, DATA_DIR, npm_command: 'exec' }
    const script = `require('node:child_process').spawn('bin/rollcall.js', ['start'], { stdio: 'inherit' })`
    const shell = createChild('npx', { words: ['-e', script], cwd: root }, env)
    await shell.start()
    await shell.kill()
    await until(shell.output, (text) => text.includes('"msg":"Stopped"'))
  })

  test('a clone without packages gets one line', () => {
    const clone = testDirectory()
    for (const path of ['bin', 'package.json'])
      cpSync(join(root, path), join(clone, path), { recursive: true })
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

test('progress is a line for each step, and one every 5 s', () => {
  const err = new PassThrough()
  let clock = 0
  const report = createReport(err, () => clock)
  for (let done = 0; done <= 100; done++, clock += 100) report({ step: 'Copying', done, total: 100 })
  report({ step: 'Comparing' })
  expect(String(err.read())).toBe(
    'Copying: 0 of 100\nCopying: 50 of 100\nCopying: 100 of 100\nComparing ...\n',
  )
})
