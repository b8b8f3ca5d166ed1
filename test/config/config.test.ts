import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printEnvExample, printReference } from '../../scripts/print-settings.ts'
import { findUnusedSettings, parseConfig, variables, type Config } from '../../services/config/config.ts'
import { removedSettings } from '../../services/config/removed.ts'
import { hashToken } from '../../services/config/token.ts'
import { testDirectory } from '../support/directories.ts'

const goodToken = 'q3Vn0pX8cE5uJ1tRz7YkLw'

function parsed(env: Record<string, string>): Config {
  const result = parseConfig(env)
  if (!result.ok) throw new Error(result.problems.join('\n'))
  return result.config
}

function problems(env: Record<string, string>): string[] {
  const result = parseConfig(env)
  return result.ok ? [] : result.problems
}

describe('the configuration', () => {
  test('is complete with nothing set', () => {
    expect(parsed({})).toMatchObject({
      host: '127.0.0.1',
      ingestPort: 8080,
      ingestTokens: [],
      logRetentionMs: 7 * 24 * 3_600_000,
      retention: new Map(),
      dueZone: 'UTC',
      userAttributes: [],
      dashboardAuth: 'none',
    })
    expect(parsed({}).publicIngestUrl).toBeUndefined()
  })

  test('has at most 90 settings, each with a meaning and its default in .env.example', () => {
    expect(Object.keys(variables).length).toBeLessThanOrEqual(90)
    expect(printReference()).toContain('The group * is everyone.')
    const stated = [...printEnvExample().matchAll(/^# .+\n# ([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    )
    expect(stated).toEqual(
      Object.values(variables).map((variable) => [variable.name, variable.default ?? '']),
    )
    expect(parsed(Object.fromEntries(stated) as Record<string, string>)).toEqual(parsed({}))
  })

  test.each([
    ['.env.example', printEnvExample],
    ['docs/settings.md', printReference],
  ])('%s is what npm run docs:settings prints', (file, print) => {
    expect(readFileSync(file, 'utf8')).toBe(print())
  })

  test('names a removed setting that is still set, once, with what to do', () => {
    const set = { KAFKA_RETENTION_HOURS: '24', SPOOL_DIR: '/spool', KAFKA_CLIENT_ID: '' }
    expect(findUnusedSettings(set)).toEqual([
      'KAFKA_RETENTION_HOURS is no longer a setting. Set LOG_RETENTION_HOURS.',
      'SPOOL_DIR is no longer a setting. The spool is DATA_DIR/spool; set DATA_DIR.',
    ])
    const names = Object.values(variables).map(({ name }) => name)
    expect(Object.keys(removedSettings).filter((name) => names.includes(name))).toEqual([])
    const all = Object.fromEntries(Object.keys(removedSettings).map((name) => [name, '1']))
    expect(findUnusedSettings(all)).toHaveLength(Object.keys(all).length)
  })

  test('names every problem at once', () => {
    const found = problems({
      INGEST_PORT: '80800',
      DUE_END: 'midnight',
      TIME_ZONE: '+02:00',
      INGEST_TOKENS: `lms=short,${goodToken}`,
      MAX_BODY_BYTES: '1e6',
      PUBLIC_INGEST_URL: 'hooks.example.com',
    })
    const names = [
      'INGEST_PORT',
      'PUBLIC_INGEST_URL',
      'INGEST_TOKENS',
      'INGEST_TOKENS',
      'MAX_BODY_BYTES',
      'TIME_ZONE',
      'DUE_END',
    ]
    expect(found.map((problem) => problem.split(':')[0])).toEqual(names)
  })

  test('what numbers need cannot be removed by age', () => {
    const find = (text: string, env = {}) => problems({ ...env, RETENTION_DAYS: text })
    expect(parsed({ RETENTION_DAYS: 'bodies=90,failed_events=30,audit=9' }).retention).toEqual(
      new Map([
        ['bodies', 90],
        ['failed_events', 30],
        ['audit', 9],
      ]),
    )
    expect(find('events=365')).toEqual([expect.stringContaining('Nothing else is removed by age')])
    expect(find('bodies=90')).toEqual([expect.stringContaining('failed_events must be given with bodies')])
    expect(find('bodies=90,failed_events=91')).toHaveLength(1)
    expect(find('failed_events=6')).toEqual([expect.stringContaining('at least as long as the event log')])
    expect(find('failed_events=6', { LOG_RETENTION_HOURS: '24' })).toEqual([])
    for (const text of [
      'bodies',
      'bodies=x',
      'bodies=1.5',
      'repeats=91',
      'repeats=0',
      'findings=29',
      'nothing=5',
      'repeats=5,',
      'repeats=1,repeats=2',
    ]) {
      expect(find(text), text).toHaveLength(1)
    }
  })

  test('never repeats a secret in a problem', () => {
    const found = problems({
      INGEST_TOKENS: `${goodToken}!,x y=${goodToken}`,
      INGEST_SIGNATURE_SECRETS: 'lms:topsecretvalue',
    })
    expect(found).toHaveLength(3)
    expect(found.join()).not.toContain(goodToken)
    expect(found.join()).not.toContain('topsecret')
  })

  test('takes the hash of a token in place of the token, so that the token need not be where it runs', () => {
    const sha256 = hashToken(goodToken).toString('hex')
    expect(parsed({ INGEST_TOKENS: `lms=sha256:${sha256}` }).ingestTokens).toEqual(
      parsed({ INGEST_TOKENS: `lms=${goodToken}` }).ingestTokens,
    )
    expect(problems({ INGEST_TOKENS: `lms=${goodToken},lms=sha256:${sha256}` })).toEqual([
      'INGEST_TOKENS: entry 2 (lms) repeats a token',
    ])
    expect(problems({ INGEST_TOKENS: 'lms=sha256:1234' })).toHaveLength(1)
  })

  test('a value in quotes, as Docker passes on those of an env file, is told to go without them', () => {
    expect(problems({ TIME_ZONE: '"Europe/Berlin"', INGEST_PORT: "'8080'" })).toEqual([
      'INGEST_PORT: must be a whole number from 0 to 65535, without quotes around it',
      'TIME_ZONE: must be a zone of the tz database, such as Europe/Berlin, without quotes around it',
    ])
  })

  test('the due zone follows the reporting zone unless it is set', () => {
    expect(parsed({ TIME_ZONE: 'Europe/Berlin' })).toMatchObject({
      timeZone: 'Europe/Berlin',
      dueZone: 'Europe/Berlin',
    })
    expect(parsed({ TIME_ZONE: 'Europe/Berlin', DUE_ZONE: 'America/New_York' }).dueZone).toBe(
      'America/New_York',
    )
  })

  test.each(['Asia/Katmandu', 'Etc/UTC', 'EST5EDT'])('%s is answered as it was given', (zone) => {
    expect(parsed({ TIME_ZONE: zone, DUE_ZONE: zone })).toMatchObject({ timeZone: zone, dueZone: zone })
  })

  test.each(['asia/kathmandu', '+02:00', '-0500', 'europe/berlin', 'Europe/Atlantis', 'utc'])(
    '%s is no zone',
    (zone) => {
      expect(problems({ DUE_ZONE: zone })).toHaveLength(1)
    },
  )

  test.each([
    ['too short', 'q3Vn0pX8cE5uJ1tRz7Yk'],
    ['too short for hexadecimal', '0123456789abcdef01234567'],
    ['all the same', 'a'.repeat(64)],
    ['not fit for an address', `${goodToken}/?`],
  ])('a token that is %s is refused', (_, token) => {
    expect(problems({ INGEST_TOKENS: `lms=${token}` })).toHaveLength(1)
  })

  test('several tokens live at once, held as hashes', () => {
    const other = '8f14e45fceea167a5a36dedd4bea2543'
    const { ingestTokens } = parsed({ INGEST_TOKENS: `lms=${goodToken}, lms=${other}` })
    expect(ingestTokens.map(({ source }) => source)).toEqual(['lms', 'lms'])
    expect(ingestTokens.map(({ sha256 }) => Buffer.from(sha256))).toEqual(
      [goodToken, other].map((token) => Buffer.from(hashToken(token))),
    )
    expect(problems({ INGEST_TOKENS: `a=${goodToken},b=${goodToken}` })).toEqual([
      'INGEST_TOKENS: entry 2 (b) repeats a token',
    ])
    expect(problems({ INGEST_TOKENS: `reconcile=${goodToken}` })).toEqual([
      'INGEST_TOKENS: entry 1 (reconcile) has a name that Rollcall uses itself',
    ])
  })

  test('a secret is read from a file, and only from one place', () => {
    const directory = testDirectory()
    const path = join(directory, 'tokens')
    writeFileSync(path, `lms=${goodToken}\n`)
    expect(parsed({ INGEST_TOKENS_FILE: path }).ingestTokens).toHaveLength(1)
    expect(problems({ INGEST_TOKENS_FILE: path, INGEST_TOKENS: `lms=${goodToken}` })).toHaveLength(1)
    expect(problems({ INGEST_TOKENS_FILE: join(directory, 'none') })[0]).toMatch(
      /^INGEST_TOKENS_FILE: ENOENT/,
    )
  })

  test('signature secrets name their scheme', () => {
    const env = { INGEST_TOKENS: `lms=${goodToken}` }
    const secret = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`
    expect(
      parsed({ ...env, INGEST_SIGNATURE_SECRETS: `lms=standard:${secret}` }).signatureSecrets,
    ).toMatchObject([{ source: 'lms', scheme: 'standard' }])
    expect(problems({ ...env, INGEST_SIGNATURE_SECRETS: 'lms=rot13:0123456789abcdef' })).toHaveLength(1)
    expect(problems({ ...env, INGEST_SIGNATURE_SECRETS: 'lms=workramp:short' })).toHaveLength(1)
  })
})
