/** Checks the disk: who may read the data, whether it lasts, and how much room is left. */
import { readdirSync, statSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toSpoolDirectory, variables, type Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import { readLocalLogUse, type LocalLogUse } from '../../event-log/local/log-use.ts'
import { present } from '../../runtime/control/command.ts'
import type { Finding } from '../command-deps.ts'

/** File system types as `statfs` names them: memory, and container layers that vanish with the container. */
const fleeting = new Map([
  [0x01021994, 'in memory (tmpfs)'],
  [0x858458f6, 'in memory (ramfs)'],
  [0x794c7630, "in the container's own layer (overlay)"],
])
const gib = 1024 ** 3

/** What waits in the log cannot be read then. */
export const logUnusable = 'log_unusable'

export type FileFacts = {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  isEmbedded: boolean
  readDisk?: (path: string) => { type: number; freeBytes: number; totalBytes: number }
}

export function checkFiles({ config, env, isEmbedded, readDisk = readRealDisk }: FileFacts): Finding[] {
  const directory = isEmbedded ? config.dataDir : toSpoolDirectory(config)
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) return [toNoDirectory(directory)]
  return present([
    isEmbedded && checkReadable(config.dataDir),
    ...checkSecrets(config, env),
    ...checkDisk(directory, readDisk),
    checkLog(config, isEmbedded),
  ])
}

function toNoDirectory(path: string): Finding {
  return {
    code: 'no_directory',
    severity: 'problem',
    what: `DATA_DIR (${resolve(path)}) is a file, not a directory.`,
    why: 'Rollcall cannot start.',
    todo: `Set DATA_DIR to a directory that Rollcall may write.`,
  }
}

/** The directory may be readable if the files in it are not. */
function checkReadable(dataDir: string): Finding | undefined {
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (stats === undefined || (stats.mode & 0o005) === 0) return undefined
  const open = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (statSync(join(dataDir, entry.name)).mode & 0o005) !== 0)
    .map((entry) => entry.name)
  if (open.length === 0) return undefined
  return {
    code: 'data_readable',
    severity: 'problem',
    what: `Everybody on this machine can read ${resolve(dataDir)} (${open.join(', ')}).`,
    why: 'It holds names, e-mails and results of people.',
    todo: `chmod 700 ${resolve(dataDir)}`,
  }
}

function checkSecrets({ dataDir }: Config, env: FileFacts['env']): Finding[] {
  const names = Object.values(variables).flatMap(({ name, isSecret }) => (isSecret ? [`${name}_FILE`] : []))
  const secretFiles = [...names, variables.kafkaTlsKey.name].flatMap((name) => env[name] ?? [])
  const ours = ['ingest-token', 'tokens.json', 'session-secret', 'control.json'].map((name) => join(dataDir, name))
  return ['.env', ...secretFiles, ...ours].filter(isReadableByAll).map((path) => ({
    code: 'secret_readable',
    severity: 'problem',
    what: `Everybody on this machine can read ${resolve(path)}.`,
    why: 'A token allows others to send events, or to call the platform in your name.',
    todo: `chmod 600 ${resolve(path)}`,
  }))
}

function isReadableByAll(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.isFile() && (stats.mode & 0o004) !== 0
}

function checkDisk(directory: string, readDisk: NonNullable<FileFacts['readDisk']>): Finding[] {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return []
  const { type, freeBytes, totalBytes } = readDisk(directory)
  const where = fleeting.get(type)
  const share = freeBytes / Math.max(totalBytes, 1)
  return present([
    where !== undefined && {
      code: 'not_persistent',
      severity: 'problem',
      what: `DATA_DIR (${resolve(directory)}) is ${where}.`,
      why: 'Acknowledged deliveries are lost at the next restart of the machine or the container.',
      todo: 'Mount a volume there, or set DATA_DIR to a directory on a disk.',
    },
    (freeBytes < gib || share < 0.1) && {
      code: 'disk_low',
      severity: freeBytes < gib ? 'problem' : 'warning',
      what: `The disk of ${resolve(directory)} has ${(freeBytes / gib).toFixed(1)} GiB left, ${Math.round(share * 100)} %.`,
      why: 'When it is full, deliveries are answered with 503.',
      todo: 'Free some space, or move to a larger disk.',
    },
  ])
}

function checkLog(config: Config, isEmbedded: boolean): Finding | undefined {
  try {
    const use = readLocalLogUse(isEmbedded ? join(config.dataDir, 'log') : toSpoolDirectory(config))
    return use && (isEmbedded ? checkRoomInLog(use, config) : checkSpool(use))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return {
      code: logUnusable,
      severity: 'problem',
      what: error.message,
      why: 'Rollcall cannot start on it. Nothing else is lost meanwhile.',
      todo: 'Have the disk checked if the file is damaged.',
    }
  }
}

function checkRoomInLog(use: LocalLogUse, { logMaxBytes }: Config): Finding | undefined {
  if (use.waitingBytes < 0.5 * logMaxBytes) return undefined
  return {
    code: 'log_nearly_full',
    severity: 'problem',
    what: `${use.waitingRecords} deliveries wait to be stored: ${Math.round((100 * use.waitingBytes) / logMaxBytes)} % of LOG_MAX_BYTES.`,
    why: 'When it is full, deliveries are answered with 503.',
    todo: 'Look in the log of the process for why they are not stored; raise LOG_MAX_BYTES if there is room.',
  }
}

function checkSpool(use: LocalLogUse): Finding | undefined {
  if (use.waitingRecords === 0) return undefined
  return {
    code: 'spool_in_use',
    severity: 'warning',
    what: `${use.waitingRecords} deliveries wait in the spool for Kafka.`,
    why: 'They are acknowledged, but no number counts them yet; they are on this disk only.',
    todo: 'Find out why Kafka accepts none, and keep the ingest process running until the spool is empty.',
  }
}

function readRealDisk(path: string): { type: number; freeBytes: number; totalBytes: number } {
  const { type, bsize, bavail, blocks } = statfsSync(path)
  return { type, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
