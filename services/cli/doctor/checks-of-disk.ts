/** Who may read the data, whether it persists, and how much room is left. */
import { readdirSync, statSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isEmbedded, toSpoolDirectory, variables, type Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import { readLocalLogUse, type LocalLogUse } from '../../event-log/local/log-use.ts'
import { checksOf, when } from './check.ts'

type Disk = { type: number; freeBytes: number; totalBytes: number }

export type DiskFacts = {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  /** `undefined` if the directory does not exist. */
  disk: Disk | undefined
  /** The log, or the spool of a distributed ingest. An error if it cannot be read. */
  log: LocalLogUse | StartError | undefined
}

/** File system types as `statfs` names them: memory, and container layers that vanish with the container. */
const fleeting = new Map([
  [0x01021994, 'in memory (tmpfs)'],
  [0x858458f6, 'in memory (ramfs)'],
  [0x794c7630, "in the container's own layer (overlay)"],
])
const gib = 1024 ** 3
const { problem, warning } = checksOf<DiskFacts>()

export const logUnusable = 'log_unusable'

export const diskChecks = [
  problem('data_readable', {
    test: ({ config }) => when(isEmbedded(config) && findReadable(config.dataDir)),
    what: ({ path, open }) => `Everyone on this machine can read ${path} (${open.join(', ')}).`,
    why: 'It holds names, emails and results of people.',
    todo: ({ path }) => `chmod 700 ${path}`,
  }),
  problem('secret_readable', {
    test: ({ config, env }) => findReadableSecrets(config, env),
    what: (path) => `Everyone on this machine can read ${path}.`,
    why: 'A token allows others to send events, or to call the platform in your name.',
    todo: (path) => `chmod 600 ${path}`,
  }),
  problem('not_persistent', {
    test: ({ config, disk }) => {
      const where = fleeting.get(disk?.type ?? 0)
      return when(where !== undefined && `DATA_DIR (${resolve(toDirectory(config))}) is ${where}.`)
    },
    what: (problem) => problem,
    why: 'Acknowledged webhooks are lost at the next restart of the machine or the container.',
    todo: 'Mount a volume there, or set DATA_DIR to a directory on a disk.',
  }),
  warning('disk_low', {
    test: ({ config, disk }) => {
      if (disk === undefined) return []
      const share = disk.freeBytes / Math.max(disk.totalBytes, 1)
      return when(
        (disk.freeBytes < gib || share < 0.1) && { ...disk, share, path: resolve(toDirectory(config)) },
      )
    },
    severity: ({ freeBytes }) => (freeBytes < gib ? 'problem' : 'warning'),
    what: ({ path, freeBytes, share }) =>
      `The disk of ${path} has ${(freeBytes / gib).toFixed(1)} GiB left, ${Math.round(share * 100)} %.`,
    why: 'When it is full, Rollcall answers webhooks with 503.',
    todo: 'Free some space, or move to a larger disk.',
  }),
  problem(logUnusable, {
    test: ({ log }) => when(log instanceof StartError && log),
    what: ({ message }) => message,
    why: 'Rollcall cannot start on it. Nothing else is lost meanwhile.',
    todo: 'Have the disk checked if the file is damaged.',
  }),
  problem('log_nearly_full', {
    test: ({ config, log }) => {
      if (log === undefined || log instanceof StartError || !isEmbedded(config)) return []
      const share = log.waitingBytes / config.logMaxBytes
      return when(share >= 0.5 && { share, ...log })
    },
    what: ({ share, waitingRecords }) =>
      `${waitingRecords} webhooks wait to be stored: ${Math.round(100 * share)} % of LOG_MAX_BYTES.`,
    why: 'When it is full, Rollcall answers webhooks with 503.',
    todo: 'The log of the process shows why they are not stored. Raise LOG_MAX_BYTES if there is room.',
  }),
  warning('spool_in_use', {
    test: ({ config, log }) =>
      when(log !== undefined && !(log instanceof StartError) && !isEmbedded(config) && log.waitingRecords),
    what: (records) => `${records} webhooks wait in the spool for Kafka.`,
    why: 'They are acknowledged, but no number counts them yet. They are on this disk only.',
    todo: 'Find out why Kafka accepts none, and keep the ingest process running until the spool is empty.',
  }),
]

/** Of the log of embedded mode, or of the spool. */
export function readDisk(config: Config): Pick<DiskFacts, 'disk' | 'log'> {
  const directory = toDirectory(config)
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return { disk: undefined, log: undefined }
  const { type, bsize, bavail, blocks } = statfsSync(directory)
  const disk = { type, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  try {
    return { disk, log: readLocalLogUse(isEmbedded(config) ? join(directory, 'log') : directory) }
  } catch (error) {
    if (error instanceof StartError) return { disk, log: error }
    throw error
  }
}

function toDirectory(config: Config): string {
  return isEmbedded(config) ? config.dataDir : toSpoolDirectory(config)
}

/** The directory may be readable if the files in it are not. */
function findReadable(dataDir: string): { path: string; open: string[] } | undefined {
  if ((statSync(dataDir).mode & 0o005) === 0) return undefined
  const open = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (statSync(join(dataDir, entry.name)).mode & 0o005) !== 0)
    .map((entry) => entry.name)
  return open.length === 0 ? undefined : { path: resolve(dataDir), open }
}

function findReadableSecrets({ dataDir }: Config, env: DiskFacts['env']): string[] {
  const names = Object.values(variables).flatMap(({ name, isSecret }) => (isSecret ? [`${name}_FILE`] : []))
  const secretFiles = [...names, variables.kafkaTlsKey.name].flatMap((name) => env[name] ?? [])
  const ours = ['ingest-token', 'tokens.json', 'session-secret', 'control.json'].map((name) =>
    join(dataDir, name),
  )
  return ['.env', ...secretFiles, ...ours].filter(isReadableByAll).map((path) => resolve(path))
}

function isReadableByAll(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.isFile() && (stats.mode & 0o004) !== 0
}
