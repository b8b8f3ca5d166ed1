/**
 * `rollcall tokens`: creates, lists and revokes tokens in DATA_DIR; ingest follows while it runs. Only hashes are kept.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, defineCommand, present, type CommandResult } from '../../runtime/control/command.ts'
import { isEmbedded, type Config } from '../../config/config.ts'
import { readTokenFile, toHex, writeTokenFile, type TokenFile } from '../../config/token-file.ts'
import {
  hashToken,
  isReserved,
  makeToken,
  readOwnToken,
  removeOwnToken,
  replaceOwnToken,
  sourceName,
} from '../../config/token.ts'
import { checkDataDirectory } from '../../config/check-data-directory.ts'
import { isDiskFull } from '../../event-log/local/store.ts'
import { FileLockedError, openFileLock } from '../../runtime/files/file-lock.ts'
import { toLocalUrl } from '../../config/values/address.ts'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { select } from '../statements.ts'
import { own } from '../../../schemas/own.ts'

const ownTokenName = 'main'
/** A change takes milliseconds. */
const lockWaitMs = 10_000

type Listed = {
  /** The first digits of its hash: enough to tell tokens apart, useless for sending. */
  id: string
  name: string
  origin: 'INGEST_TOKENS' | 'rollcall tokens' | 'made at the first start'
  created_at: string | null
  sha256: string
}

export function newToken(config: Config, name: string): CommandResult {
  if (isReserved(name)) throw new CommandError('usage', `Rollcall itself uses the name ${name}. Choose another one.`)
  if (!sourceName.test(name)) {
    throw new CommandError(
      'usage',
      'A name has up to 63 letters, digits and _ . - and begins with a letter or a digit.',
    )
  }
  const token = makeToken()
  const sha256 = toHex(hashToken(token))
  const entry = `${name}=sha256:${sha256}`
  // Distributed mode: several processes receive webhooks, and none reads this machine's files.
  const isFollowed = isEmbedded(config)
  if (isFollowed) whileLocked(config, () => add(config, [{ name, sha256 }]))
  const url = toUrl(config, token)
  return {
    outcome: 'done',
    lines: [
      `Token ${toId(sha256)} (${name}). It is shown this once:`,
      `  ${url}`,
      isFollowed
        ? 'Ingest accepts it within a few seconds; no restart is needed.'
        : `Add this to INGEST_TOKENS of every ingest process, and restart them one by one:\n  ${entry}`,
    ],
    data: { id: toId(sha256), name, token, url, entry },
  }
}

export function listTokens(
  config: Config,
  lastDeliveries: Readonly<Record<string, string>> | undefined,
): CommandResult {
  const tokens = findLive(config)
  return {
    outcome: 'done',
    lines:
      tokens.length === 0
        ? ['There is no token, so nothing can be sent. Create one: rollcall tokens new <name>']
        : tokens.map(({ id, name, origin, created_at }) =>
            [
              `${id}  ${name}  ${origin}`,
              created_at === null ? '' : `, ${created_at}`,
              lastDeliveries === undefined
                ? ''
                : `; last delivery by this name: ${own(lastDeliveries, name) ?? 'never'}`,
            ].join(''),
          ),
    data: {
      tokens: tokens.map(({ id, name, origin, created_at }) => ({
        id,
        name,
        origin,
        created_at,
        ...(lastDeliveries !== undefined && { last_delivery_hour: own(lastDeliveries, name) ?? null }),
      })),
    },
  }
}

/** By id, or by name where only one token has it, or all tokens of a name. */
export function revokeToken(config: Config, nameOrId: string, options: { all: boolean }): CommandResult {
  if (isEmbedded(config)) return whileLocked(config, () => revoke(config, nameOrId, options))
  findToRevoke(config, nameOrId, options)
  throw new CommandError('usage', 'Remove it from INGEST_TOKENS of every ingest process, and restart them one by one.')
}

function findToRevoke(config: Config, nameOrId: string, { all }: { all: boolean }) {
  const live = findLive(config)
  const matches = live.filter(({ id, name }) => id === nameOrId || name === nameOrId)
  if (matches.length === 0) throw new CommandError('usage', `There is no token ${nameOrId}. See: rollcall tokens list`)
  if (matches.length > 1 && !all) {
    const ids = matches.map(({ id, origin }) => `  ${id}  ${origin}`).join('\n')
    throw new CommandError('usage', `Several tokens have the name ${nameOrId}; say which by its id, or --all:\n${ids}`)
  }
  return { live, matches }
}

function revoke(config: Config, nameOrId: string, options: { all: boolean }): CommandResult {
  const { live, matches } = findToRevoke(config, nameOrId, options)
  const file = readTokenFile(config.dataDir)
  const hashes = new Set(matches.map(({ sha256 }) => sha256))
  const revoked_at = new Date().toISOString()
  writeTokenFile(config.dataDir, {
    tokens: file.tokens.filter(({ sha256 }) => !hashes.has(sha256)),
    revoked: [...file.revoked, ...matches.map(({ name, sha256 }) => ({ name, sha256, revoked_at }))],
  })
  const ownToken = readOwnToken(config.dataDir)
  if (ownToken !== undefined && hashes.has(toHex(hashToken(ownToken)))) removeOwnToken(config.dataDir)
  const rest = live.length - matches.length
  return {
    outcome: rest === 0 ? 'problems' : 'done',
    lines: present([
      `Revoked: ${matches.map(({ id, name }) => `${id} (${name})`).join(', ')}. Ingest refuses it within a few seconds.`,
      matches.some(({ origin }) => origin === 'INGEST_TOKENS') && 'Remove it from INGEST_TOKENS as well.',
      rest === 0 && 'No token is left, so nothing can be sent. Create one: rollcall tokens new <name>',
    ]),
    data: { revoked: matches.map(({ id, name }) => ({ id, name })), left: rest },
  }
}

/** Replaces the token that embedded mode generated. The old one stays valid until it is revoked. */
export function rotateToken(config: Config): CommandResult {
  return whileLocked(config, () => rotate(config))
}

/** Prints the address with the token that embedded mode generated. */
export function showToken(config: Config): CommandResult {
  const url = toUrl(config, readGenerated(config))
  return { outcome: 'done', lines: [url], data: { url } }
}

function readGenerated(config: Config): string {
  const token = config.ingestTokens.length === 0 ? readOwnToken(config.dataDir) : undefined
  if (token !== undefined) return token
  throw new CommandError(
    'usage',
    'There is no generated token, and of others only hashes are kept. Create one with rollcall tokens new <name>, ' +
      'register it, and revoke the old one.',
  )
}

function rotate(config: Config): CommandResult {
  const old = readGenerated(config)
  const oldHash = toHex(hashToken(old))
  // The old token is recorded before it is replaced: a stop in between leaves it recorded twice, but never refused.
  add(config, [{ name: ownTokenName, sha256: oldHash, created_at: toMadeAt(config) }])
  const token = replaceOwnToken(config.dataDir)
  add(config, [{ name: ownTokenName, sha256: toHex(hashToken(token)) }])
  const url = toUrl(config, token)
  return {
    outcome: 'done',
    lines: [
      'The new address. rollcall tokens show prints it again:',
      `  ${url}`,
      `Register it at the platform, and when it is in use: rollcall tokens revoke ${toId(oldHash)}`,
    ],
    data: { id: toId(toHex(hashToken(token))), name: ownTokenName, token, url, old_id: toId(oldHash) },
  }
}

/** Else two commands at once would each write what the other has not seen. */
function whileLocked<Result>({ dataDir }: Config, change: () => Result): Result {
  checkDataDirectory(dataDir)
  let lock: ReturnType<typeof openFileLock> | undefined
  try {
    lock = openFileLock(join(dataDir, 'tokens.lock'), lockWaitMs)
    return change()
  } catch (cause) {
    if (cause instanceof FileLockedError)
      throw new CommandError('failed', 'Another tokens command is running. Try again when it has ended.', { cause })
    if (!isDiskFull(cause) && (cause as { code?: string }).code !== 'ENOSPC') throw cause
    throw new CommandError('failed', `The disk of ${dataDir} is full. Make room there, and do it again.`, { cause })
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

/** For INGEST_TOKENS elsewhere: names and hashes of all accepted tokens. */
export function toConfigEntries(config: Config): string[] {
  return findLive(config).map(({ name, sha256 }) => `${name}=sha256:${sha256}`)
}

export function countLiveTokens(config: Config): number {
  return findLive(config).length
}

/** All accepted tokens, each once. */
function findLive(config: Config): Listed[] {
  const file = readTokenFile(config.dataDir)
  const ownToken = config.ingestTokens.length === 0 ? readOwnToken(config.dataDir) : undefined
  const all = [
    ...config.ingestTokens.map(({ source, sha256 }) => toListed(source, toHex(sha256), 'INGEST_TOKENS', null)),
    ...(ownToken === undefined
      ? []
      : [toListed(ownTokenName, toHex(hashToken(ownToken)), 'made at the first start', toMadeAt(config))]),
    ...file.tokens.map(({ name, sha256, created_at }) => toListed(name, sha256, 'rollcall tokens', created_at)),
  ]
  const revoked = new Set(file.revoked.map(({ sha256 }: TokenFile['revoked'][number]) => sha256))
  const byHash = new Map(all.toReversed().map((token) => [token.sha256, token]))
  return [...byHash.values()].toReversed().filter(({ sha256 }) => !revoked.has(sha256))
}

function toListed(name: string, sha256: string, origin: Listed['origin'], created_at: string | null): Listed {
  return { id: toId(sha256), name, origin, created_at, sha256 }
}

function toId(sha256: string): string {
  return sha256.slice(0, 8)
}

function toMadeAt({ dataDir }: Config): string {
  return statSync(join(dataDir, 'ingest-token')).mtime.toISOString()
}

function toUrl({ publicIngestUrl, host, ingestPort }: Config, token: string): string {
  return `${publicIngestUrl ?? toLocalUrl(host, ingestPort)}/webhooks/${token}`
}

/** When each token name last received something, to the hour, for `rollcall tokens list`. */
export function createSourcesCommand({ client }: CommandDeps) {
  return defineCommand(z.object({}), async () => {
    const rows = await select<{ source: string; last: string }>(client, 'last-deliveries')
    return { outcome: 'done', lines: [], data: Object.fromEntries(rows.map(({ source, last }) => [source, last])) }
  })
}
