/** What the site is made of besides Markdown. `npm run docs` itself fails on a link that leads nowhere. */
import { expect, test } from 'vitest'
import { apiPages } from '../../docs/.vitepress/api-pages.ts'
import { metricPages } from '../../docs/.vitepress/metric-pages.ts'
import { operations } from '../../dashboards/api/operations.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'

test('every metric has a page with its definition and its worked example', () => {
  const pages = metricPages()
  expect(pages.map(({ key }) => key)).toEqual(Object.keys(metrics))
  const onTime = pages.find(({ key }) => key === 'on_time_rate')?.content
  expect(onTime).toContain('`not_due_yet` (not completed, not late)')
  expect(onTime).toContain('In time: a1. Late: a2')
})

test('every call of the API stands in the reference, with its parameters and the fields of its answer', () => {
  const reference = apiPages()
    .map(({ content }) => content)
    .join('\n')
  for (const { method, path } of operations) {
    if (path === '/openapi.json') continue
    expect(reference).toContain(`## \`${method.toUpperCase()} /api${path}\``)
  }
  expect(reference).toContain('- `manager_depth`: integer. At most so many links below a manager')
  expect(reference).toMatch(/- `completion_rate`: .*\n +- `value`: number/)
})
