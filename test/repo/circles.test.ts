/** No file leads back to itself by its imports, types included: a stranger can read one after another. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
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
function findCircle(): string[] {
  const done = new Set<string>()
  function walk(file: string, way: string[]): string[] {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return []
    done.add(file)
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next, [...way, file])
      if (circle.length > 0) return circle
    }
    return []
  }
  for (const file of sources) {
    const circle = walk(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

test('files import one another in no circle', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(findCircle()).toEqual([])
})

test('the configuration imports no room that it configures', () => {
  const outside = sources
    .filter((file) => file.startsWith('services/config/'))
    .flatMap((file) => (imports.get(file) ?? []).filter((path) => !/^(services\/config|schemas)\//.test(path)))
  expect(outside).toEqual([])
})

test('sign-in knows nothing of links and views', () => {
  const outside = sources
    .filter((file) => file.startsWith('services/access/'))
    .flatMap((file) => (imports.get(file) ?? []).filter((path) => /^services\/(sharing|saved-views)\//.test(path)))
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
  'forecast',
  'columns',
  'read',
  'statements',
  'coarse',
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
