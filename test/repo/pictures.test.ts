/** Each page that `npm run pictures` takes is there light and dark, and the README shows four of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'docs/images'))

test('what the script takes is what is there', () => {
  const list = /const pictured = \[([\s\S]*?)\n\]/.exec(read('scripts/pictures.ts'))?.[1] ?? ''
  const taken = [...list.matchAll(/name: '(\w+)'/g)].flatMap(([, name]) => [`${name}-dark.png`, `${name}-light.png`])
  expect(taken.length).toBeGreaterThanOrEqual(8)
  expect(files.toSorted()).toEqual(taken.toSorted())
})

test('the README shows four pages, each in the reader’s scheme', () => {
  const shown = [...read('README.md').matchAll(/docs\/images\/([\w-]+\.png)/g)].map(([, file]) => file)
  expect(shown).toHaveLength(8)
  for (const file of shown) expect(files).toContain(file)
  expect(new Set(shown.map((file) => file?.replace(/-(dark|light)\.png$/, ''))).size).toBe(4)
})
