/** Every setting, once wrong: one line that names it, exit code 2, and nothing written. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { variables } from '../../services/config/config.ts'
import { findMisspelt } from '../../services/config/misspelt.ts'
import { toBuilt } from '../support/processes/built.ts'
import { runToEnd } from '../support/processes/child.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import { isLong, pick } from '../support/tiers.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'

/** Any text is right, and its effect shows only when it is used. */
const anyText = Symbol('any text')

const wrong: Record<keyof typeof variables, string | typeof anyText> = {
  // Seen at the start, below.
  host: anyText,
  ingestPort: 'abc',
  dashboardPort: '70000',
  dashboardHosts: 'a b',
  adminPort: '-1',
  // Seen at the start, below.
  dataDir: anyText,
  publicIngestUrl: 'hooks.example.com',
  ingestTokens: 'main=short',
  signatureSecrets: 'main',
  allowedNetworks: '10.0.0.0/99',
  trustedProxies: 'proxy',
  maxBodyBytes: '1',
  rateLimitPerSecond: '1.5',
  logRetentionHours: '-5',
  logMaxBytes: '10',
  retention: 'events=never',
  timeZone: 'Berlin',
  dueZone: '+02:00',
  dueEnd: 'noon',
  userAttributes: 'country,a b',
  dashboardAuth: 'yes',
  dashboardUrl: 'example',
  dashboardOwners: anyText,
  dashboardRoles: 'everybody',
  dashboardManagerSees: 'all',
  dashboardSessionHours: '0',
  dashboardSessionSecrets: 'short',
  oidcIssuer: 'ftp://a',
  oidcClientId: anyText,
  oidcClientSecret: anyText,
  oidcScopes: 'email',
  oidcGroupsClaim: anyText,
  oidcUserIdClaim: anyText,
  oidcEmail: 'maybe',
  oidcSignOut: 'there',
  dashboardTrustedProxies: 'x',
  dashboardProxyUserHeader: 'a b',
  dashboardProxyGroupsHeader: 'a:b',
  smtpUrl: 'http://mail',
  mailFrom: 'nobody',
  digestFrequency: 'hourly',
  digestDay: 'mon',
  digestHour: '24',
  digestChannelUrl: 'chat',
  digestChannelNames: 'on',
  alertChannelUrl: 'chat',
  remind: 'sometimes',
  remindEveryDays: '0',
  sqlEndpoint: 'yes',
  sqlPort: '70000',
  sqlPeople: 'yes',
  sqlMaxSeconds: '0',
  sqlMaxMemoryBytes: '1',
  sqlMaxRows: '1',
  memoryMaxVersions: 'many',
  logLevel: 'loud',
  otelEndpoint: 'collector',
  shutdownTimeoutMs: '1',
  platformUrl: 'platform',
  // Alone.
  platformToken: 'token',
  platformPaths: 'x',
  platformCallsPerHour: '1',
  pullSchedule: 'often',
  reconcileSchedule: 'x',
  reconcileRepair: 'yes',
  assignGuides: 'yes',
  platformLearnerUrl: 'javascript:alert({user_id})',
  platformAssignmentUrl: 'https://{assignment_id}.example.com/',
  platformGradingUrl: 'https://learn.example.com/grading',
  kafkaBrokers: 'broker',
  kafkaTopic: 'a b',
  kafkaPartitions: '0',
  kafkaReplicationFactor: '0',
  kafkaGroupId: 'a b',
  kafkaSessionTimeoutMs: '1',
  kafkaSaslMechanism: 'gssapi',
  // Alone.
  kafkaSaslUsername: 'ada',
  kafkaSaslPassword: 'secret',
  kafkaTls: 'yes',
  kafkaTlsCa: '/nope.pem',
  kafkaTlsCert: '/nope.pem',
  kafkaTlsKey: '/nope.pem',
  spoolMaxBytes: '1',
  ingestAdminUrls: 'ingest',
  clickhouseUrl: 'server',
  clickhouseUser: anyText,
  clickhousePassword: anyText,
  clickhouseCluster: 'a b',
  clickhouseCa: '/nope.pem',
}

const directory = fileDirectory()

const cases = Object.entries(wrong).flatMap(([key, value]) =>
  value === anyText ? [] : [[variables[key as keyof typeof variables].name, value] as const],
)

test.each(cases)('%s=%s', async (name, value) => {
  const data = join(directory, 'data')
  const { code, out, err } = await runCliInside(['doctor'], { DATA_DIR: data, [name]: value })
  expect([code, out]).toEqual([2, ''])
  // The line about a pair that is half given may begin with the other one.
  expect(err).toMatch(
    /^The configuration cannot be used: [A-Z_]+: .+\. Every setting is described in \.env\.example\.\n$/,
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

test('a person who is asked for a password and leaves by Ctrl-C gets one line', () => {
  const terminal = `
    import { PassThrough } from 'node:stream'
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    Object.defineProperty(process, 'stdin', { value: stdin })
    stdin.write('\\x03')`
  const words = [
    '--import',
    `data:text/javascript,${encodeURIComponent(terminal)}`,
    toBuilt('services/cli/main.ts'),
  ]
  const { status, stderr } = spawnSync(
    process.execPath,
    [...words, 'user', 'add', 'ada@example.com', '--role', 'owner'],
    { cwd: testDirectory(), encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, 'Password: \nNo password was given, so nothing was changed.\n'])
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
