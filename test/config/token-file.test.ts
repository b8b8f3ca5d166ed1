import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { pbkdf2 } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { hashToken, makeToken } from '../../services/config/token.ts'
import { readTokenFile, toHex, writeTokenFile, type TokenFile } from '../../services/config/token-file.ts'
import { followTokenFile } from '../../services/ingest/follow-token-file.ts'
import { event, openTestIngest, token } from '../ingest/ingest.ts'
import { until } from '../support/wait.ts'

const created_at = '2026-01-05T00:00:00.000Z'
const makeDirectory = () => mkdtempSync(join(tmpdir(), 'rollcall-tokens-'))

test('takes a token that was added, and refuses one that was revoked, while it runs; it had neither at its start', async () => {
  const directory = makeDirectory()
  const ingest = await openTestIngest({ tokenDirectory: directory })
  const added = makeToken()
  const send = async (by: string) =>
    (await ingest.post(JSON.stringify(event()), {}, `${ingest.url}/webhooks/${by}`)).status
  expect([await send(token), await send(added)]).toEqual([200, 404])

  const tokens = [{ name: 'new', sha256: toHex(hashToken(added)), created_at }]
  writeTokenFile(directory, { tokens, revoked: [] })
  expect(
    await until(
      () => send(added),
      (status) => status === 200,
    ),
  ).toBe(200)
  expect(await send(token)).toBe(200)
  expect(await ingest.metrics()).toContain('rollcall_ingest_requests_total{source="new",outcome="accepted"}')

  // Also one that is configured.
  const revoked = [{ sha256: toHex(hashToken(token)), revoked_at: created_at }]
  writeTokenFile(directory, { tokens, revoked })
  expect(
    await until(
      () => send(token),
      (status) => status === 404,
    ),
  ).toBe(404)
  expect(await send(added)).toBe(200)

  // A file that cannot be read changes nothing: revoked stays revoked.
  writeFileSync(join(directory, 'tokens.json'), '{')
  await until(() => ingest.errors.length > 0)
  expect([await send(token), await send(added)]).toEqual([404, 200])
  await ingest.dispose()
})

test('hears of a change right after its start, also while all threads of the pool are busy', async () => {
  const directory = makeDirectory()
  for (let n = 0; n < 8; n++) pbkdf2('a', 'b', 300_000, 64, 'sha512', () => {})
  const changes: TokenFile[] = []
  const onChange = (file: TokenFile) => void changes.push(file)
  onTestFinished(followTokenFile(directory, readTokenFile(directory), { onChange, onError: () => {} }))
  const revoked = [{ sha256: '0'.repeat(64), revoked_at: created_at }]
  writeTokenFile(directory, { tokens: [], revoked })
  expect(await until(() => changes[0])).toEqual({ tokens: [], revoked })
})

test('does not start with a signature for a name that no token has, which would then be unused', async () => {
  const tokenDirectory = makeDirectory()
  const sha256 = toHex(hashToken(makeToken()))
  writeTokenFile(tokenDirectory, {
    tokens: [{ name: 'added', sha256, created_at }],
    // Its setting may be forgotten after it.
    revoked: [{ name: 'old', sha256: toHex(hashToken(makeToken())), revoked_at: created_at }],
  })
  const secret = Buffer.from('secret')
  const open = (...names: string[]) =>
    openTestIngest({
      tokenDirectory,
      signatureSecrets: names.map((source) => ({ source, scheme: 'workramp', secret })),
    })
  await expect(open('lms', 'lsm')).rejects.toThrow(
    'INGEST_SIGNATURE_SECRETS: no token has the name lsm.\nTokens have the names: lms, other, added.',
  )
  const ingest = await open('lms', 'added', 'old')
  await ingest.dispose()
})

test('does not start over a token file that it cannot read, which may revoke what is configured', async () => {
  const directory = makeDirectory()
  writeFileSync(join(directory, 'tokens.json'), '{"tokens":[')
  await expect(openTestIngest({ tokenDirectory: directory })).rejects.toThrow('tokens.json is damaged')
})

test('keeps only hashes, for its owner only', () => {
  const directory = makeDirectory()
  const file = { tokens: [{ name: 'new', sha256: toHex(hashToken(makeToken())), created_at }], revoked: [] }
  writeTokenFile(directory, file)
  expect(statSync(join(directory, 'tokens.json')).mode & 0o777).toBe(0o600)
  expect(readTokenFile(directory)).toEqual(file)
})

test.each(['replaceFile', 'writeOnce'])(
  '%s leaves what was there, and no half of a file, where there is no room',
  (name) => {
    const directory = makeDirectory()
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'there'), 'before')
    const module = join(import.meta.dirname, '../../services/config/whole-file.ts')
    const script = `import { ${name} } from '${module}'; ${name}('${join(directory, 'there')}', 'x'.repeat(10_000))`
    // No file may be larger than a block: a write ends in the middle, as on a full disk.
    const limited = [
      '-c',
      'ulimit -f 1; exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ]
    expect(spawnSync('sh', limited, { encoding: 'utf8' }).stderr).toContain('EFBIG')
    expect(readdirSync(directory)).toEqual(['there'])
    expect(readFileSync(join(directory, 'there'), 'utf8')).toBe('before')
  },
)
