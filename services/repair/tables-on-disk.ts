/** The files of a store that the engine cannot open: which directory is which table's, and which parts count. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { tableBeforeRelease } from '../clickhouse/before-release.ts'

/** A table as this version creates it, with the names of all columns that its parts can have. */
export type KnownTable = { table: string; stored: string[] }

export type FoundTables = {
  directories: Map<string, string>
  /** Tables without a link, found by their columns: another table may have the same. */
  byColumns: Set<string>
  /** Directories with parts that are of no table of this version. */
  unknown: string[]
}

/** Finds a table by its link or, where that is gone or leads to another store, by the columns of its parts. */
export function findTables(store: string, knownTables: readonly KnownTable[]): FoundTables {
  const tables = new Map<string, string>()
  // Some programs copy a directory with links that lead into the old one.
  const own = realpathSync(store) + sep
  for (const table of [...knownTables.map((each) => each.table), tableBeforeRelease]) {
    const link = join(store, 'data/rollcall', table)
    const directory = existsSync(link) ? realpathSync(link) : ''
    if (directory.startsWith(own)) tables.set(table, directory)
  }
  const linkedDirectories = new Set(tables.values())
  const byColumns = new Set<string>()
  const unknown: string[] = []
  for (const directory of listTableDirectories(store).filter((each) => !linkedDirectories.has(each))) {
    if (listParts(directory).length === 0) continue
    const columns = readColumns(directory)
    // Parts of before a column was added have fewer.
    const [best] = knownTables
      .filter(({ table }) => !tables.has(table))
      .filter(({ stored }) => columns.length > 0 && columns.every((name) => stored.includes(name)))
      .toSorted((a, b) => a.stored.length - b.stored.length)
    if (best === undefined) unknown.push(directory)
    else {
      tables.set(best.table, directory)
      byColumns.add(best.table)
    }
  }
  return { directories: tables, byColumns, unknown }
}

function listTableDirectories(store: string): string[] {
  const root = join(store, 'store')
  if (!existsSync(root)) return []
  return readdirSync(root)
    .flatMap((prefix) => readdirSync(join(root, prefix)).map((id) => realpathSync(join(root, prefix, id))))
    .filter((directory) => existsSync(join(directory, 'format_version.txt')))
}

function readColumns(directory: string): string[] {
  const part = listParts(directory)[0]
  if (part === undefined) return []
  try {
    const text = readFileSync(join(part.path, 'columns.txt'), 'utf8')
    return [...text.matchAll(/^`(.+?)` /gm)].map((match) => match[1] as string)
  } catch {
    return []
  }
}

export type OldPart = {
  name: string
  path: string
  /** `undefined`: it does not say. */
  rows: number | undefined
  partition: string
  firstBlock: number
  lastBlock: number
  level: number
  mutation: number
}

const partName = /^(?<partition>[^_]+)_(?<min>\d+)_(?<max>\d+)_(?<level>\d+)(?:_(?<mutation>\d+))?$/

/** All parts that are there, those first into which others were merged; also those that the engine has put aside as broken. */
export function listParts(directory: string): OldPart[] {
  const files = readdirSync(directory)
    .filter((name) => !name.startsWith('tmp'))
    .flatMap((name) => toPart(name, join(directory, name)))
  const detached = join(directory, 'detached')
  const broken = existsSync(detached)
    ? readdirSync(detached).flatMap((name) => {
        const stripped = /^broken(?:-on-start)?_(.+)$/.exec(name)?.[1]
        return stripped === undefined ? [] : toPart(stripped, join(detached, name))
      })
    : []
  return [...files, ...broken].toSorted((a, b) => toSpan(b) - toSpan(a) || b.level - a.level || b.mutation - a.mutation)
}

function toPart(name: string, path: string): OldPart[] {
  const groups = partName.exec(name)?.groups
  if (groups === undefined) return []
  const { partition = '', min, max, level, mutation = 0 } = groups
  return [
    {
      name,
      path,
      rows: readCount(join(path, 'count.txt')),
      partition,
      firstBlock: Number(min),
      lastBlock: Number(max),
      level: Number(level),
      mutation: Number(mutation),
    },
  ]
}

/** Whether everything of the other one is in it, too. */
export function covers(part: OldPart, other: OldPart): boolean {
  return part.partition === other.partition && part.firstBlock <= other.firstBlock && other.lastBlock <= part.lastBlock
}

function toSpan({ firstBlock, lastBlock }: OldPart): number {
  return lastBlock - firstBlock
}

function readCount(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^\d+$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}
