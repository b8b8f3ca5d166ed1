/** The ratchet: source and tests stay as small as they last were. If they shrink, lower the numbers. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const source = ['services', 'dashboards', 'reporting', 'schemas', 'sample-platform', 'digest', 'language']

test.each([
  { name: 'source', folders: source, most: 53_729 },
  { name: 'tests', folders: ['test'], most: 44_363 },
])('keeps $name at $most lines of TypeScript or fewer', ({ folders, most }) => {
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' }).split('\n')
  const lines = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(most)
})
