/** The imports of a process, by its sources: static and dynamic ones, and the files that it starts threads with. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)'([^']+)'/g

/** Our own files, as paths in the repository, and the packages that they name. */
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
