/** Style sheets hold rules of the pages that there are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const filesOf = (folder: string, type: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => type.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))

test('have no class and no id that no page has', () => {
  const css = filesOf('dashboards/styles', /\.css$/)
    .join('\n')
    .replaceAll(/\/\*.*?\*\//gs, '')
  const selectors = [...css.matchAll(/([^{};]*)\{/g)].map(([, selector = '']) => selector)
  const names = selectors.flatMap((selector) =>
    [...selector.matchAll(/[.#]([a-z][\w-]*)/gi)].map(([, name = '']) => name),
  )
  const pages = [...filesOf('dashboards', /\.tsx?$/), ...filesOf('schemas', /\.ts$/)].join('\n')
  const words = new Set(pages.match(/[a-z][\w-]*/gi))
  expect(names.length).toBeGreaterThan(100)
  expect([...new Set(names)].filter((name) => !words.has(name.replace(/\d+$/, '')))).toEqual([])
})
