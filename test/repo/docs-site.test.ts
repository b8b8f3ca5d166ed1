/** The parts of the site besides Markdown. `npm run docs` itself fails on a link that leads nowhere. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { expect, test } from 'vitest'
import site from '../../docs/.vitepress/config.ts'
import { apiPages } from '../../docs/.vitepress/api-pages.ts'
import { metricPages } from '../../docs/.vitepress/metric-pages.ts'
import { operations } from '../../dashboards/api/operations.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { describeMetrics } from '../../scripts/describe-metrics.ts'
import { testDirectory } from '../support/directories.ts'

test('every metric has a page with its definition and its worked example', () => {
  const pages = metricPages()
  expect(pages.map(({ key }) => key)).toEqual(Object.keys(metrics))
  const onTime = pages.find(({ key }) => key === 'on_time_rate')?.content
  expect(onTime).toContain('`not_due_yet` (not completed, not late)')
  expect(onTime).toContain('In time: a1. Not in time: a2')
})

test('docs/metrics-for-managers.md has the definitions of the page Help; npm run docs:data writes it', () => {
  const page = readFileSync('docs/metrics-for-managers.md', 'utf8')
  expect(page).toBe(describeMetrics())
  expect(page).toContain('| **Completion rate** |')
})

test('every call of the API stands in the reference, with its parameters and the fields of its answer', () => {
  const reference = apiPages()
    .map(({ content }) => content)
    .join('\n')
  for (const { path } of operations) {
    if (path === '/openapi.json') continue
    expect(reference).toContain(`## \`GET /api${path}\``)
  }
  expect(reference).toContain('- `manager_depth`: integer. At most so many links below a manager')
  expect(reference).toMatch(/- `completion_rate`: .*\n +- `value`: number/)
})

test('programs find every page in llms.txt, and its Markdown under its address', async () => {
  const outDir = testDirectory()
  const made = { path: 'docs/metrics/on_time_rate.md', content: '# On time' }
  const built = {
    outDir,
    pages: ['docs/METRICS.md', made.path],
    rewrites: { map: { 'docs/METRICS.md': 'METRICS.md' } },
    dynamicRoutes: { routes: [made] },
  }
  await site.buildEnd?.(built as unknown as SiteConfig)
  const read = (path: string) => readFileSync(join(outDir, path), 'utf8')
  expect(read('llms.txt')).toContain('- [On time](/docs/metrics/on_time_rate.md)')
  expect(read('llms.txt')).toMatch(/^- \[.+\]\(\/METRICS\.md\)$/m)
  expect([read(made.path), read('METRICS.md')]).toEqual([
    made.content,
    readFileSync('docs/METRICS.md', 'utf8'),
  ])
})

// Each page that `npm run pictures` takes is there light and dark, and the README shows four of them.

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'docs/images'))

test('the README shows four pages, each in the reader’s scheme', () => {
  const shown = [...read('README.md').matchAll(/docs\/images\/([\w-]+\.png)/g)].map(([, file]) => file)
  expect(shown).toHaveLength(8)
  for (const file of shown) expect(files).toContain(file)
  expect(new Set(shown.map((file) => file?.replace(/-(dark|light)\.png$/, ''))).size).toBe(4)
})
