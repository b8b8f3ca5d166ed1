/**
 * `rollcall tokens`: webhook tokens in DATA_DIR, of which only hashes are kept. A running ingest follows
 * changes.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { isEmbedded, type Config } from '../../config/config.ts'
import { readGeneratedToken, readTokenFile, toHex, writeTokenFile } from '../../config/token-file.ts'
import { hashToken, isReserved, makeToken, sourceName } from '../../config/token.ts'
import { toLocalUrl } from '../../config/values/address.ts'
import { CommandError, present, type CommandResult } from '../../runtime/control/command.ts'
import { localCommand, noOptions, text } from '../command.ts'
import { requireData } from '../require-data.ts'
import { findLiveTokens, toEntry, toTokenId } from '../webhook-tokens.ts'

/** A change takes milliseconds. */
const lockWaitMs = 10_000

export const tokensNew = localCommand({
  usage: 'tokens new <name>',
  summary: 'Create a token and show its address once. Only its hash is kept.',
  examples: ['rollcall tokens new workramp'],
  options: z.object({
    name: z
      .string()
      .regex(sourceName, 'must have up to 63 letters, digits and _ . - and begin with a letter or a digit.')
      .refine((name) => !isReserved(name), 'is used by Rollcall itself. Choose another one.'),
  }),
  async runHere({ name }, config) {
    const token = makeToken()
    const sha256 = toHex(hashToken(token))
    const [id, url, entry] = [toTokenId(sha256), toUrl(config, token), toEntry({ name, sha256 })]
    // In distributed mode several processes receive webhooks, and none reads the files of this machine.
    const isFollowed = isEmbedded(config)
    if (isFollowed)
      await whileLocked(config, () => {
        const file = readTokenFile(config.dataDir)
        const created_at = new Date().toISOString()
        writeTokenFile(config.dataDir, { ...file, tokens: [...file.tokens, { name, sha256, created_at }] })
      })
    return {
      outcome: 'done',
      lines: [
        `Token ${id} (${name}). It is shown only once:`,
        `  ${url}`,
        isFollowed
          ? 'Ingest accepts it within a few seconds, without a restart.'
          : `Add this to INGEST_TOKENS of every ingest process, and restart them one by one:\n  ${entry}`,
      ],
      data: { id, name, token, url, entry },
    }
  },
})

export const tokensList = localCommand({
  usage: 'tokens list',
  summary: 'List all accepted tokens, without their secrets.',
  options: noOptions,
  runHere(_, config) {
    requireTokens(config)
    const tokens = findLiveTokens(config).map(({ id, name, origin }) => ({ id, name, origin }))
    const lines = tokens.map(({ id, name, origin }) => `${id}  ${name}  ${origin}`)
    return { outcome: 'done', lines: lines.length > 0 ? lines : [noToken], data: { tokens } }
  },
})

export const tokensShow = localCommand({
  usage: 'tokens show',
  summary: 'Print the address with the token that the first start generated.',
  options: noOptions,
  runHere(_, config) {
    requireTokens(config)
    const token = readGeneratedToken(config)
    if (token === undefined) {
      throw new CommandError(
        'usage',
        'There is no generated token, and only hashes of other tokens are kept. Create one with rollcall tokens new <name>, ' +
          'register it, and revoke the old one.',
      )
    }
    const url = toUrl(config, token)
    return { outcome: 'done', lines: [url], data: { url } }
  },
})

export const tokensRevoke = localCommand({
  usage: 'tokens revoke <token>',
  summary: 'Revoke a token by its name or ID.',
  examples: ['rollcall tokens revoke workramp', 'rollcall tokens revoke 1f0c22ab'],
  options: z.object({ token: text }),
  async runHere({ token }, config) {
    requireTokens(config)
    if (isEmbedded(config)) return whileLocked(config, () => revoke(config, token))
    const problem = 'Remove it from INGEST_TOKENS of every ingest process, and restart them one by one.'
    throw new CommandError('usage', problem)
  },
})

const noToken = 'There is no token, so every webhook is refused. To create one: rollcall tokens new <name>'

/** Tokens may exist before the store. */
function requireTokens(config: Config): void {
  if (isEmbedded(config)) requireData(config, 'clickhouse', 'tokens.json')
}

function revoke(config: Config, nameOrId: string): CommandResult {
  const live = findLiveTokens(config)
  const matches = live.filter(({ id, name }) => id === nameOrId || name === nameOrId)
  const [token] = matches
  if (token === undefined || matches.length > 1) {
    const problem =
      matches.length > 1 ? `Several tokens have the name ${nameOrId}` : `There is no token ${nameOrId}`
    throw new CommandError('usage', `${problem}. Use an ID. See: rollcall tokens list`)
  }
  const { id, name, sha256, origin } = token
  const { tokens, revoked } = readTokenFile(config.dataDir)
  writeTokenFile(config.dataDir, {
    tokens: tokens.filter((each) => each.sha256 !== sha256),
    revoked: [...revoked, { name, sha256, revoked_at: new Date().toISOString() }],
  })
  const left = live.length - 1
  return {
    outcome: left === 0 ? 'problems' : 'done',
    lines: present([
      `Revoked: ${id} (${name}). Ingest refuses it within a few seconds.`,
      origin === 'INGEST_TOKENS' && 'Remove it from INGEST_TOKENS, too.',
      left === 0 && noToken,
    ]),
    data: { id, name, left },
  }
}

/** Two commands at once would each overwrite the change of the other. */
async function whileLocked<Result>({ dataDir }: Config, change: () => Result): Promise<Result> {
  const { checkDataDirectory } = await import('../../config/check-data-directory.ts')
  const { openFileLock } = await import('../../runtime/files/file-lock.ts')
  checkDataDirectory(dataDir)
  const lock = openFileLock(join(dataDir, 'tokens.lock'), lockWaitMs)
  try {
    return change()
  } finally {
    lock.close()
  }
}

function toUrl({ publicIngestUrl, host, ingestPort }: Config, token: string): string {
  return `${publicIngestUrl ?? toLocalUrl(host, ingestPort)}/webhooks/${token}`
}
