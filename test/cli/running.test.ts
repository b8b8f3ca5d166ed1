import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMetric } from '../support/processes/child.ts'
import { runCli, runCliInside } from '../support/processes/cli.ts'
import {
  readAssigned,
  deliver,
  startEmbedded,
  testToken,
  type Embedded,
} from '../support/processes/embedded.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { isLong } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'

const directory = fileDirectory()
let product: Embedded
const cli = (...words: string[]) =>
  runCliInside(words, { DATA_DIR: directory, INGEST_TOKENS: `main=${testToken}` })
const json = async (...words: string[]) =>
  JSON.parse((await cli(...words, '--json')).out) as Record<string, unknown>
const post = async (body: Uint8Array | string, url = product.ingestUrl) => (await deliver(url, body)).status
const countAssigned = () => readAssigned(product.dashboardUrl)
const ask = async (sql: string) =>
  (await fetch(`${product.dashboardUrl}/api/sql`, { method: 'POST', body: sql })).text()

beforeAll(async () => {
  product = await startEmbedded(directory, { SQL_PEOPLE: 'granted' })
  for (const id of ['a1', 'a2', 'a3']) await post(toBody('Created', id, monday))
  await post(
    toBody('Completed', 'a1', monday + day, { isCompleted: true, passed: true, calculatedGrade: 80 }),
  )
  await post('{"user": {"id": 7, "email": "ada@example.com"}}')
  // The numbers are the same before the last ones are stored.
  await until(
    () => readMetric(product, 'rollcall_consumer_deliveries_total'),
    (stored) => stored === 5,
  )
})
afterAll(async () => {
  await product.stop()
})

// Each test continues with the data of the one before.
describe('while the product runs and owns the store,', { shuffle: false }, () => {
  test('only the owner can read the control file, and requests without its token get 404', async () => {
    expect(statSync(join(directory, 'control.json')).mode & 0o777).toBe(0o600)
    const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8')) as Record<
      string,
      string
    >
    const ask = async (authorization: string, path = '/control/commands') =>
      (await fetch(`${url}${path}`, { headers: { authorization } })).status
    expect([await ask(''), await ask(`Bearer ${token}x`), await ask(`Bearer ${token}`)]).toEqual([
      404, 404, 200,
    ])
    expect((await fetch(`${product.dashboardUrl}/control/commands`)).status).toBe(404)
    expect(product.output()).not.toContain(token)
  })

  test.each([
    ['pull', /^Set PLATFORM_URL and PLATFORM_TOKEN first/],
    ['token create x --role manager', /id/],
    ['backup /proc/none', /^The directory \/proc\/none cannot be made \(ENOENT\)\.\n$/],
    ['backup /proc/version/x', /^The directory \/proc\/version\/x cannot be made \(ENOTDIR\)\.\n$/],
  ])('%s fails with one sentence and exit code 2', async (line, err) => {
    expect(await cli(...line.split(' '), '--quiet')).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(err),
    })
  })

  test('ledger shows everything if more hours are requested than there were', async () => {
    expect(await json('ledger', '--hours', '999999')).toMatchObject({ outcome: 'done' })
  })

  test('ledger forget --json is not taken for an option of ledger', async () => {
    expect(await json('ledger', 'forget', 'x')).toMatchObject({ outcome: 'error' })
  })

  test('a backup that fails leaves an empty directory, and can be repeated', async () => {
    const target = join(testDirectory(), 'backup')
    // Cannot be copied as a file.
    const obstacle = join(directory, 'session-secret')
    mkdirSync(obstacle)
    expect(await cli('backup', target)).toMatchObject({ code: 1 })
    rmSync(obstacle, { recursive: true })
    expect(readdirSync(target)).toEqual([])
    expect(await cli('backup', target)).toMatchObject({ code: 0, err: 'Copying files ...\n' })
  })

  test('tokens new, list and revoke work without a restart, and list shows no secret', async () => {
    const made = await json('tokens', 'new', 'second')
    const url = product.ingestUrl.replace(/[^/]+$/, made['token'] as string)
    // A repeat: the next test counts assignments.
    const known = toBody('Created', 'a1', monday)
    expect(
      await until(
        () => post(known, url),
        (status) => status === 200,
      ),
    ).toBe(200)
    const listed = await cli('tokens', 'list')
    expect(listed.out).toContain('second')
    expect(listed.out).not.toContain(made['token'])
    expect(readFileSync(join(directory, 'tokens.json'), 'utf8')).not.toContain(made['token'])

    expect((await cli('tokens', 'revoke', made['id'] as string)).code).toBe(0)
    expect(
      await until(
        () => post(known, url),
        (status) => status === 404,
      ),
    ).toBe(404)
    expect((await cli('tokens', 'list')).out).not.toContain('second')
    expect((await cli('tokens', 'revoke', 'second')).code).toBe(2)
  })

  test.runIf(isLong)('erase shows a preview, then erases a person whose events keep arriving', async () => {
    const preview = await cli('erase', '--user', '7')
    expect(preview).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed') })
    const before = await countAssigned()
    const people = () => ask('SELECT * FROM people')
    expect(await people()).toContain('ada@example.com')

    let isErased = false
    const arriving = (async () => {
      for (let n = 0; !isErased; n++) await post(toBody('Progress', 'a2', monday + day + n))
    })()
    const done = await json('erase', '--user', '7', '--yes')
    isErased = true
    await arriving
    expect(done).toMatchObject({ outcome: 'done', erased: true, failedEvents: 1 })
    expect(await people()).not.toContain('ada@example.com')
    expect(await countAssigned()).toBe(before)
  })

  test.runIf(isLong)('replay of failed events that still cannot be used changes nothing', async () => {
    // Earlier webhooks are stored when this one is.
    await post(toBody('Created', 'the-last-one', monday))
    const readEvents = () => ask('SELECT * FROM events ORDER BY event_id')
    const before = await until(readEvents, (events) => events.includes('the-last-one'))
    expect(await json('replay')).toMatchObject({ outcome: 'done', read: 1, usable: 0 })
    expect(await readEvents()).toBe(before)
    expect(await ask('SELECT * FROM people')).not.toContain('ada@example.com')
  })
})

test.runIf(isLong)('commands open the store themselves after a kill', async () => {
  const killed = testDirectory()
  const env = { DATA_DIR: killed, INGEST_TOKENS: `main=${testToken}` }
  const other = await startEmbedded(killed)
  await post(toBody('Created', 'b1', monday), other.ingestUrl)
  await other.kill()
  expect(statSync(join(killed, 'control.json'), { throwIfNoEntry: false })).toBeDefined()
  const adopted = await runCli(['log', 'adopt'], env)
  expect(adopted).toMatchObject({ code: 0, out: expect.stringContaining('Adopted') })
  expect((await runCli(['migrate'], env)).out).toContain('already')
})
