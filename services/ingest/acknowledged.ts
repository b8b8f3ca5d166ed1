/**
 * The deliveries that this ingest has acknowledged, counted per source and hour of receipt, apart from the log: if the log loses some, the
 * ledger shows it. One file of places of one size, each a line. A count is in the operating system's hands at the end of the turn of
 * the event loop in which it was made, and on the disk a second later: a kill may leave out the last turn, a power failure the last
 * second. It never counts more deliveries than were acknowledged.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fdatasync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** `hour`: its begin, epoch s. */
type AcknowledgedCell = { source: string; hour: number; count: number }

export type AcknowledgedCounts = {
  /** Name of the file: counts of several are added up. */
  id: string
  cells: AcknowledgedCell[]
}

export type Acknowledged = ReturnType<typeof openAcknowledged>

export const acknowledgedFile = 'acknowledged.txt'

/** Four weeks of one source, or as many hours of several. The one that was counted longest ago gives its place to a new one. */
const places = 672
const placeBytes = 112
const syncIntervalMs = 1_000
const hourSeconds = 3_600

type Place = AcknowledgedCell & { index: number }

/**
 * Continues the file of the directory, or begins one. `onError` is told once of a file that cannot be written: ingest goes on, and what
 * was counted is missing after the next start.
 */
export function openAcknowledged(directory: string, onError: (error: unknown) => void) {
  const path = join(directory, acknowledgedFile)
  let isBroken = false
  const attempt = <Result>(step: () => Result): Result | undefined => {
    try {
      return step()
    } catch (error) {
      if (!isBroken) onError(error)
      isBroken = true
      return undefined
    }
  }

  let counts = readCounts(path)
  if (counts === undefined) {
    counts = { id: randomBytes(8).toString('hex'), cells: [] }
    const content = [toLine(counts.id), ...Array.from({ length: places }, () => toLine(''))].join('')
    attempt(() => writeFileSync(path, content, { mode: 0o600, flush: true }))
  }
  const { id } = counts
  /** In the order in which they were last counted. */
  const byName = new Map<string, Place>()
  for (const cell of counts.cells) byName.set(toName(cell), cell)
  const file = attempt(() => openSync(path, 'r+'))
  const changed = new Set<Place>()
  let isUnsynced = false
  let isSyncing = false

  function write(): void {
    for (const place of changed) {
      attempt(() => file !== undefined && writeSync(file, toLine(toText(place)), (place.index + 1) * placeBytes))
    }
    changed.clear()
    isUnsynced = true
  }

  const syncs = setInterval(() => {
    if (!isUnsynced || isSyncing || file === undefined) return
    isUnsynced = false
    isSyncing = true
    fdatasync(file, () => (isSyncing = false))
  }, syncIntervalMs)
  syncs.unref()

  function findIndex(): number {
    if (byName.size < places) {
      const used = new Set([...byName.values()].map(({ index }) => index))
      for (let index = 0; ; index++) if (!used.has(index)) return index
    }
    const [name, oldest] = byName.entries().next().value as [string, Place]
    byName.delete(name)
    changed.delete(oldest)
    return oldest.index
  }

  return {
    /** One delivery that the log has, and whose receipt is about to be given. `receivedAt`: epoch ms. */
    count(source: string, receivedAt: number): void {
      const hour = Math.floor(receivedAt / 1_000 / hourSeconds) * hourSeconds
      const name = toName({ source, hour })
      const place = byName.get(name) ?? { source, hour, count: 0, index: findIndex() }
      place.count++
      byName.delete(name)
      byName.set(name, place)
      if (changed.size === 0) setImmediate(write)
      changed.add(place)
    },
    read: (): AcknowledgedCounts => ({ id, cells: [...byName.values()].map(toCell) }),
    close(): void {
      clearInterval(syncs)
      write()
      if (file !== undefined && !isSyncing) closeSync(file)
    },
  }
}

/** As the file has it at this moment; `undefined`: there is none. It may be in use. */
export function readAcknowledged(directory: string): AcknowledgedCounts | undefined {
  const counts = readCounts(join(directory, acknowledgedFile))
  return counts && { id: counts.id, cells: counts.cells.map(toCell) }
}

function readCounts(path: string): { id: string; cells: Place[] } | undefined {
  let content: string
  try {
    content = readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
  const [id, ...texts] = Array.from({ length: Math.ceil(content.length / placeBytes) }, (_, index) =>
    fromLine(content.slice(index * placeBytes, (index + 1) * placeBytes)),
  )
  if (id === undefined || !/^[0-9a-f]{16}$/.test(id)) return undefined
  const cells = texts.flatMap((text, index): Place[] => {
    const [, hour, count, source] = /^(\d+) (\d+) (\S+)$/.exec(text ?? '') ?? []
    return source === undefined ? [] : [{ source, hour: Number(hour), count: Number(count), index }]
  })
  return { id, cells }
}

const toCell = ({ source, hour, count }: Place): AcknowledgedCell => ({ source, hour, count })
const toName = ({ source, hour }: Pick<AcknowledgedCell, 'source' | 'hour'>) => `${hour} ${source}`
const toText = ({ source, hour, count }: AcknowledgedCell) => `${hour} ${count} ${source}`

/** Checksum, text, and room for a longer one. */
function toLine(text: string): string {
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}`.padEnd(placeBytes - 1) + '\n'
}

/** `undefined`: a place that was being written when the machine stopped. */
function fromLine(line: string): string | undefined {
  const text = line.slice(9).trimEnd()
  return line.slice(0, 8) === crc32(text).toString(16).padStart(8, '0') ? text : undefined
}
