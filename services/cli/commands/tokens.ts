/**
 * `rollcall tokens`: webhook tokens in DATA_DIR, of which only hashes are kept. A running ingest follows
 * changes.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { own } from '../../../schemas/own.ts'
import { isEmbedded, type Config } from '../../config/config.ts'
import { readTokenFile, toHex, writeTokenFile } from '../../config/token-file.ts'
import {
  hashToken,
  isReserved,
  makeToken,
  removeOwnToken,
  replaceOwnToken,
  sourceName,
} from '../../config/token.ts'
import { toLocalUrl } from '../../config/values/address.ts'
import { CommandError, present, type CommandResult } from '../../runtime/control/command.ts'
import { findRunning } from '../../runtime/control/control-client.ts'
import type { CommandDeps } from '../command-deps.ts'
import { flag, localCommand, noOptions, text } from '../command.ts'
import { requireData } from '../require-data.ts'
import { select } from '../statements.ts'
import {
  findLiveTokens,
  ownTokenName,
  readGenerated,
  toEntry,
  toGeneratedAt,
  toTokenId,
} from '../webhook-tokens.ts'

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
    if (isFollowed) await whileLocked(config, () => add(config, [{ name, sha256 }]))
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
  async runHere(_, config, io) {
    requireTokens(config)
    const live = findLiveTokens(config)
    // Only a running process reports the last deliveries: this command opens no store.
    const running = await findRunning(config.dataDir)
    const last = (await running?.run('last-deliveries', {}, io))?.data
    const tokens = live.map(({ id, name, origin, created_at }) => ({
      id,
      name,
      origin,
      created_at,
      ...(last !== undefined && { last_delivery_hour: own(last as Record<string, string>, name) ?? null }),
    }))
    const lines = tokens.map(({ id, name, origin, created_at, last_delivery_hour: hour }) =>
      [
        `${id}  ${name}  ${origin}`,
        created_at === null ? '' : `, ${created_at}`,
        hour === undefined ? '' : `; last webhook by this name: ${hour ?? 'never'}`,
      ].join(''),
    )
    return {
      outcome: 'done',
      lines: lines.length > 0 ? lines : [`There is no token, so every webhook is refused. ${toCreateOne}`],
      data: { tokens },
    }
  },
})

export const tokensShow = localCommand({
  usage: 'tokens show',
  summary: 'Print the address with the token that the first start generated.',
  options: noOptions,
  runHere(_, config) {
    requireTokens(config)
    const url = toUrl(config, requireGenerated(config))
    return { outcome: 'done', lines: [url], data: { url } }
  },
})

export const tokensRevoke = localCommand({
  usage: 'tokens revoke <token>',
  summary: 'Revoke a token by its name or ID.',
  examples: ['rollcall tokens revoke workramp', 'rollcall tokens revoke 1f0c22ab'],
  options: z.object({ token: text, all: flag('all tokens of that name') }),
  async runHere({ token, all }, config) {
    requireTokens(config)
    if (isEmbedded(config)) return whileLocked(config, () => revoke(config, token, all))
    findToRevoke(config, token, all)
    const problem = 'Remove it from INGEST_TOKENS of every ingest process, and restart them one by one.'
    throw new CommandError('usage', problem)
  },
})

export const tokensRotate = localCommand({
  usage: 'tokens rotate',
  summary: 'Replace the token that the first start generated. The old one stays valid until it is revoked.',
  options: noOptions,
  async runHere(_, config) {
    requireTokens(config)
    return whileLocked(config, () => rotate(config))
  },
})

/** The hour of the last webhook of each token name. */
export async function readLastDeliveries({ client }: CommandDeps): Promise<CommandResult> {
  const rows = await select<{ source: string; last: string }>(client, 'last-deliveries')
  return {
    outcome: 'done',
    lines: [],
    data: Object.fromEntries(rows.map(({ source, last }) => [source, last])),
  }
}

const toCreateOne = 'To create one: rollcall tokens new <name>'

/** Tokens may exist before the store. */
function requireTokens(config: Config): void {
  if (isEmbedded(config)) requireData(config, 'clickhouse', 'tokens.json', 'ingest-token')
}

function requireGenerated(config: Config): string {
  const token = readGenerated(config)
  if (token !== undefined) return token
  throw new CommandError(
    'usage',
    'There is no generated token, and only hashes of other tokens are kept. Create one with rollcall tokens new <name>, ' +
      'register it, and revoke the old one.',
  )
}

function findToRevoke(config: Config, nameOrId: string, all: boolean) {
  const live = findLiveTokens(config)
  const matches = live.filter(({ id, name }) => id === nameOrId || name === nameOrId)
  if (matches.length === 0)
    throw new CommandError('usage', `There is no token ${nameOrId}. See: rollcall tokens list`)
  if (matches.length > 1 && !all) {
    const ids = matches.map(({ id, origin }) => `  ${id}  ${origin}`).join('\n')
    throw new CommandError('usage', `Several tokens have the name ${nameOrId}. Use an ID, or --all:\n${ids}`)
  }
  return { live, matches }
}

function revoke(config: Config, nameOrId: string, all: boolean): CommandResult {
  const { live, matches } = findToRevoke(config, nameOrId, all)
  const file = readTokenFile(config.dataDir)
  const hashes = new Set(matches.map(({ sha256 }) => sha256))
  const revoked_at = new Date().toISOString()
  writeTokenFile(config.dataDir, {
    tokens: file.tokens.filter(({ sha256 }) => !hashes.has(sha256)),
    revoked: [...file.revoked, ...matches.map(({ name, sha256 }) => ({ name, sha256, revoked_at }))],
  })
  const generated = readGenerated(config)
  if (generated !== undefined && hashes.has(toHex(hashToken(generated)))) removeOwnToken(config.dataDir)
  const left = live.length - matches.length
  return {
    outcome: left === 0 ? 'problems' : 'done',
    lines: present([
      `Revoked: ${matches.map(({ id, name }) => `${id} (${name})`).join(', ')}. Ingest refuses it within a few seconds.`,
      matches.some(({ origin }) => origin === 'INGEST_TOKENS') && 'Remove it from INGEST_TOKENS, too.',
      left === 0 && `No token is left, so every webhook is refused. ${toCreateOne}`,
    ]),
    data: { revoked: matches.map(({ id, name }) => ({ id, name })), left },
  }
}

function rotate(config: Config): CommandResult {
  const oldHash = toHex(hashToken(requireGenerated(config)))
  // Record the old token before its replacement: a kill in between records it twice, but never refuses it.
  add(config, [{ name: ownTokenName, sha256: oldHash, created_at: toGeneratedAt(config) }])
  const token = replaceOwnToken(config.dataDir)
  const sha256 = toHex(hashToken(token))
  add(config, [{ name: ownTokenName, sha256 }])
  const url = toUrl(config, token)
  return {
    outcome: 'done',
    lines: [
      'The new address. rollcall tokens show prints it again:',
      `  ${url}`,
      `Register it at the platform. When it is in use: rollcall tokens revoke ${toTokenId(oldHash)}`,
    ],
    data: { id: toTokenId(sha256), name: ownTokenName, token, url, old_id: toTokenId(oldHash) },
  }
}

/** Two commands at once would each overwrite the change of the other. */
async function whileLocked<Result>({ dataDir }: Config, change: () => Result): Promise<Result> {
  const { checkDataDirectory } = await import('../../config/check-data-directory.ts')
  const { isDiskFull } = await import('../../event-log/local/store.ts')
  const { FileLockedError, openFileLock } = await import('../../runtime/files/file-lock.ts')
  checkDataDirectory(dataDir)
  let lock: ReturnType<typeof openFileLock> | undefined
  try {
    lock = openFileLock(join(dataDir, 'tokens.lock'), lockWaitMs)
    return change()
  } catch (cause) {
    if (cause instanceof FileLockedError)
      throw new CommandError('failed', 'Another tokens command is running. Try again when it has ended.', {
        cause,
      })
    if (!isDiskFull(cause) && (cause as { code?: string }).code !== 'ENOSPC') throw cause
    throw new CommandError('failed', `The disk of ${dataDir} is full. Free some space, and try again.`, {
      cause,
    })
  } finally {
    lock?.close()
  }
}

function add(config: Config, tokens: { name: string; sha256: string; created_at?: string }[]): void {
  const file = readTokenFile(config.dataDir)
  const created_at = new Date().toISOString()
  const hashes = new Set(file.tokens.map(({ sha256 }) => sha256))
  const added = tokens.filter(({ sha256 }) => !hashes.has(sha256)).map((token) => ({ created_at, ...token }))
  writeTokenFile(config.dataDir, { ...file, tokens: [...file.tokens, ...added] })
}

function toUrl({ publicIngestUrl, host, ingestPort }: Config, token: string): string {
  return `${publicIngestUrl ?? toLocalUrl(host, ingestPort)}/webhooks/${token}`
}
