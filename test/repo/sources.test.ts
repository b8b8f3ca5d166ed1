/** Rules that the sources keep, read as text: who imports whom, and promises that are heard. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)'([^']+)'/g

/**
 * Of a process: our own files, as paths in the repository, and the packages that they name. By static and dynamic imports, and by the files
 * that it starts threads with.
 */
function collectImports(main: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [join(root, main)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = relative(root, path)
    if (files.has(name) || !existsSync(path)) continue
    files.add(name)
    if (!/\.tsx?$/.test(path)) continue
    for (const [, found = ''] of readFileSync(path, 'utf8').matchAll(specifier)) {
      if (found.startsWith('.')) waiting.push(join(dirname(path), found))
      else packages.add(found)
    }
  }
  return { files, packages }
}

test.each(['services/ingest/main.ts', 'services/consumer-process/main.ts', 'dashboards/main.ts'])(
  '%s never loads chDB, so that its image does without',
  (main) => {
    const { files, packages } = collectImports(main)
    expect(files.size).toBeGreaterThan(20)
    expect([...packages].filter((name) => /^chdb(\/|$)/.test(name))).toEqual([])
    expect([...files]).not.toContain('services/clickhouse/open-embedded.ts')
  },
)

test('the embedded main does load it, and needs no Kafka: the test above would see either', () => {
  const { packages } = collectImports('services/embedded/main.ts')
  expect([...packages].filter((name) => /^chdb(\/|$)/.test(name)).length).toBeGreaterThan(0)
  expect([...packages]).not.toContain('kafkajs')
})

test('ingest knows neither ClickHouse nor the consumer, the dashboards neither the event log nor ingest', () => {
  const ingest = [...collectImports('services/ingest/main.ts').files]
  expect(ingest.filter((file) => /^services\/(clickhouse|consumer)\/|^dashboards\//.test(file))).toEqual([])
  const dashboards = [...collectImports('dashboards/main.ts').files]
  expect(dashboards.filter((file) => /^services\/(event-log|ingest|consumer)\//.test(file))).toEqual([])
})

// No file leads back to itself by its imports, types included: a stranger can read one after another.

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
const sources = files.filter((file) => !file.startsWith('test/'))

const imports = new Map(
  sources.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const named = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    )
    return [file, named]
  }),
)

/** The first circle that a walk meets; empty: there is none. */
function findCircle(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  function walk(at: string, way: string[]): string[] {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at]
    if (done.has(at)) return []
    done.add(at)
    for (const next of graph.get(at) ?? []) {
      const circle = walk(next, [...way, at])
      if (circle.length > 0) return circle
    }
    return []
  }
  for (const start of graph.keys()) {
    const circle = walk(start, [])
    if (circle.length > 0) return circle
  }
  return []
}

test('files import one another in no circle', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(findCircle(imports)).toEqual([])
})

test.each(['dashboards', 'digest', 'services'])('the rooms of %s import one another in no circle', (hall) => {
  const toRoom = (file: string) => new RegExp(`^${hall}/([\\w-]+)/`).exec(file)?.[1]
  const rooms = new Map<string, Set<string>>()
  for (const [file, paths] of imports) {
    const room = toRoom(file)
    if (room === undefined) continue
    const others = paths.flatMap((path) => toRoom(path) ?? []).filter((other) => other !== room)
    rooms.set(room, new Set([...(rooms.get(room) ?? []), ...others]))
  }
  expect(rooms.size).toBeGreaterThan(2)
  expect(findCircle(rooms)).toEqual([])
})

test('the configuration imports no room that it configures', () => {
  const outside = sources
    .filter((file) => file.startsWith('services/config/'))
    .flatMap((file) =>
      (imports.get(file) ?? []).filter((path) => !/^(services\/config|schemas)\//.test(path)),
    )
  expect(outside).toEqual([])
})

test('sign-in knows nothing of saved views', () => {
  const outside = sources
    .filter((file) => file.startsWith('services/access/'))
    .flatMap((file) => (imports.get(file) ?? []).filter((path) => path.startsWith('services/saved-views/')))
  expect(outside).toEqual([])
})

test('the way of a batch knows none of the rooms around it', () => {
  const outside = sources
    .filter((file) => file.startsWith('services/consumer/'))
    .flatMap((file) => imports.get(file) ?? [])
    .filter((path) => /^services\/(consumer-process|erasure|guide-orders|jobs|sync|watch)\//.test(path))
  expect(outside).toEqual([])
})

/** From the ground up: a room imports those before it. */
const reportingRooms = [
  'scope',
  'expressions',
  'metrics',
  'columns',
  'read',
  'statements',
  'queries',
  'explain',
  'exports',
  'words',
]

test('the rooms of reporting import one way', () => {
  const floorOf = (file: string) => reportingRooms.indexOf(/^reporting\/(\w+)\//.exec(file)?.[1] ?? '')
  const rooms = new Set(sources.flatMap((file) => /^reporting\/(\w+)\//.exec(file)?.[1] ?? []))
  expect([...rooms].toSorted()).toEqual(reportingRooms.toSorted())
  const upwards = sources
    .filter((file) => file.startsWith('reporting/'))
    .flatMap((file) => (imports.get(file) ?? []).map((path) => ({ file, path })))
    .filter(({ file, path }) => path.startsWith('reporting/') && floorOf(path) > floorOf(file))
  expect(upwards).toEqual([])
})

// Promises of a list are heard once the list is made. If making it waits, and one of them fails meanwhile, the process ends.

/** The list that begins at `from`, to its closing bracket. */
function readList(text: string, from: number): string {
  let open = 1
  let to = from
  for (; open > 0 && to < text.length; to++) {
    if (text[to] === '[') open++
    if (text[to] === ']') open--
  }
  return text.slice(from, to)
}

function findWaits(text: string): string[] {
  return [...text.matchAll(/Promise\.all(?:Settled)?\(\[/g)]
    .map(({ index, 0: { length } }) => readList(text, index + length))
    .filter((list) => /\bawait\b/.test(list) && !/\basync\b/.test(list))
}

test('no promise waits for another while it is put into a list', () => {
  expect(findWaits('Promise.all([readOne(), readTwo(await settle())])')).toHaveLength(1)
  const found = files
    .filter((file) => !file.startsWith('test/'))
    .flatMap((file) => findWaits(readFileSync(join(root, file), 'utf8')).map((list) => `${file}: ${list}`))
  expect(found).toEqual([])
})
