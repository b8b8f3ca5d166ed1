import { afterAll, expect, test } from 'vitest'
import { guideMetricDefinitions } from '../../schemas/metrics/guide-metrics.ts'
import { metrics } from '../../schemas/metrics/metrics.ts'
import { startPreview } from './ui/serve.ts'

const pages = await startPreview()
afterAll(() => pages.close())

const read = async (path: string) => (await pages.app.request(path)).text()

test('Help has every definition, and what the pages link to is there', async () => {
  const help = await read('/help')
  for (const key of Object.keys(metrics)) expect(help).toContain(`id="metric-${key}"`)
  for (const key of Object.keys(guideMetricDefinitions)) expect(help).toContain(`id="guide-${key}"`)
  const linked = [
    ...`${await read('/')}${await read('/guides')}${await read('/grading')}`.matchAll(
      /href="\/help#([\w-]+)"/g,
    ),
  ].map(([, id]) => id)
  expect(new Set(linked).size).toBeGreaterThan(14)
  for (const id of linked) expect(help).toContain(`id="${id}"`)
})
