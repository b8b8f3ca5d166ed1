/** Every setting, once wrong: one line that names it, exit code 2, and nothing written. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig, variables } from '../../services/config/config.ts'
import { findMisspelt } from '../../services/config/misspelt.ts'
import { toBuilt } from '../support/processes/built.ts'
import { runToEnd } from '../support/processes/child.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { isLong, pick } from '../support/tiers.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'

const directory = fileDirectory()

/** No name, number, address, network, schedule or file. Only settings that take any text take it. */
const wrong = 'a b'

test('every setting with a wrong value is one line that names it', () => {
  const checked = Object.values(variables).filter(({ schema }) => !schema.safeParse(wrong).success)
  expect(checked.length).toBeGreaterThan(70)
  for (const { name } of checked) {
    const parsed = parseConfig({ [name]: wrong })
    const problems = parsed.ok ? [] : parsed.problems.filter((problem) => problem.startsWith(`${name}: `))
    expect(problems, name).toHaveLength(1)
  }
})

test.each([
  ['DASHBOARD_PORT', '70000'],
  ['LOG_RETENTION_HOURS', '-5'],
  ['PLATFORM_TOKEN', 'alone'],
  ['KAFKA_SASL_USERNAME', 'alone'],
  ['KAFKA_TLS_CA_PATH', '/nope.pem'],
  ['PLATFORM_ASSIGNMENT_URL', 'https://{assignment_id}.example.com/'],
])('%s=%s ends a command with one line and exit code 2', async (name, value) => {
  const data = join(directory, 'data')
  const { code, out, err } = await runCliInside(['doctor'], { DATA_DIR: data, [name]: value })
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(
    /^The configuration cannot be used: .+\. Every setting is described in \.env\.example\.\n$/,
  )
  expect(err).toContain(name)
  expect(existsSync(data)).toBe(false)
})

describe('a start', () => {
  const start = (env: Record<string, string>, main = 'services/embedded/main.ts') =>
    runToEnd(main, {
      DATA_DIR: join(directory, 'data'),
      INGEST_PORT: '0',
      DASHBOARD_PORT: '0',
      ADMIN_PORT: '0',
      ...env,
    })

  const refused: [string, Record<string, string>, string][] = [
    ['a setting that cannot be read', { SQL_MAX_ROWS: '1' }, 'SQL_MAX_ROWS: must be a whole number'],
    [
      'an address that the machine has not',
      { HOST: '192.0.2.77', DASHBOARD_AUTH: 'none-and-i-know' },
      'This machine has no address 192.0.2.77. Set HOST to one that it has.',
    ],
    [
      'one port for two servers',
      { INGEST_PORT: '48081', DASHBOARD_PORT: '48081' },
      '127.0.0.1:48081 is in use. Stop what listens there, or set',
    ],
    [
      'SQL for everybody without sign-in',
      { SQL_PORT: '0', HOST: '0.0.0.0', DASHBOARD_AUTH: 'none-and-i-know' },
      'SQL_PORT would be open to everybody who reaches 0.0.0.0. Set DASHBOARD_AUTH to',
    ],
    [
      'SQL at a port and switched off',
      { SQL_PORT: '0', SQL_ENDPOINT: 'off' },
      'SQL_PORT: needs SQL_ENDPOINT=on',
    ],
    [
      'a directory that cannot be made',
      { DATA_DIR: '/proc/nope' },
      'DATA_DIR: The directory /proc/nope cannot be made (',
    ],
  ]
  test.each(pick(refused, 6, 0, 2))(
    'with %s says so in one line, ends with 2, and writes nothing',
    async (_, env, says) => {
      const { code, stderr } = await start(env)
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(existsSync(join(directory, 'data'))).toBe(false)
    },
  )

  const mains = [
    'services/embedded/main.ts',
    'sample-platform/demo.ts',
    'services/consumer-process/main.ts',
    'dashboards/main.ts',
  ]
  test.each(pick(mains.slice(0, 2), 2))(
    'on a file instead of a directory is refused in one line (%s)',
    async (main) => {
      const file = join(directory, 'file')
      writeFileSync(file, '')
      const { code, stderr } = await start({ DATA_DIR: file }, main)
      expect(code).toBe(2)
      expect(stderr).toMatch(
        main.includes('demo')
          ? /^DATA_DIR: The directory \S+file\/demo cannot be made \(ENOTDIR\)\. Set DATA_DIR to a directory that Rollcall may write\.\n$/
          : /^DATA_DIR: \S+file is a file, not a directory\. Set DATA_DIR to a directory that Rollcall may write\.\n$/,
      )
    },
  )

  test.each(pick(mains, 4, 1, 2))(
    'with options shows what there is instead, and starts nothing (%s)',
    async (main) => {
      const unknown = await runToEnd(main, { DATA_DIR: join(directory, 'data') }, ['--port', '1'])
      expect(unknown).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Unknown option --port\. .*\.env\.example/s),
      })
      expect(existsSync(join(directory, 'data'))).toBe(false)
    },
  )

  test('with a .env that cannot be read says so in one line', () => {
    const cwd = testDirectory()
    // What a container makes of a file that is to be mounted and is not there.
    mkdirSync(join(cwd, '.env'))
    const { status, stderr } = spawnSync(process.execPath, [toBuilt('services/embedded/main.ts')], {
      cwd,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^\.env cannot be read \(EISDIR.+\n$/)])
  })

  test('names a misspelt setting', async () => {
    const { stderr } = await start({ DASHBORD_PORT: '1', DATA_DIR: '/proc/nope' })
    expect(stderr).toContain('DASHBORD_PORT is not a setting. Did you mean DASHBOARD_PORT?\n')
  })
})

test('a command on a directory that cannot be used says so in one line', async () => {
  // A disk that is not mounted.
  const link = join(testDirectory(), 'data')
  symlinkSync('/nowhere/data', link)
  const { code, err } = await runCliInside(['tokens', 'new', 'x'], { DATA_DIR: link })
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^DATA_DIR: \S+ is a link that leads to nothing\. .+\n$/),
  ])
  for (const words of ['user add ada@example.com --role owner --no-password', 'tokens new x']) {
    const { code, err } = await runCliInside(words.split(' '), { DATA_DIR: '/proc/nope' })
    expect([words, code, err]).toEqual([words, 2, expect.stringMatching(/^(Opening.*\n)?DATA_DIR: .+\n$/)])
  }
})

test('a person without a terminal cannot be asked for a password', async () => {
  const words = ['user', 'add', 'ada@example.com', '--role', 'owner']
  const { code, out, err } = await runCli(words, { DATA_DIR: join(directory, 'data') })
  expect([code, out, err]).toEqual([
    2,
    '',
    'No terminal to ask for a password. Use --password-file or --no-password.\n',
  ])
  const missing = await runCliInside([...words, '--password-file', '/nope'], {
    DATA_DIR: join(directory, 'data'),
  })
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringMatching(/^The password file cannot be read: ENOENT.+\n$/),
  ])
  expect(existsSync(join(directory, 'data'))).toBe(false)
})

describe.skipIf(isLong)('misspelt names', () => {
  const settings = Object.values(variables).map(({ name }) => name)
  test.each([
    ['DASHBORD_PORT', 'DASHBOARD_PORT'],
    ['TIMEZONE', 'TIME_ZONE'],
    ['INGEST_TOKEN', 'INGEST_TOKENS'],
    ['DATA_DRI', 'DATA_DIR'],
    ['dashboard_auth', 'DASHBOARD_AUTH'],
  ])('%s is taken for %s', (name, meant) => {
    expect(findMisspelt([name], settings)).toEqual([`${name} is not a setting. Did you mean ${meant}?`])
  })

  test('names of other programs, and of settings, are left alone', () => {
    const others = 'HOSTNAME HOME PATH HOSTS PORT LOGNAME NODE_OPTIONS TZ LANG PWD OLDPWD SHLVL'.split(' ')
    expect(findMisspelt([...others, ...settings], settings)).toEqual([])
  })
})
