/**
 * Takes the pictures of the README, docs/images/*.png: pages of the demo and a digest, light and dark. Needs nothing but the packages
 * of the project: npm run pictures, or only some: npm run pictures -- digest
 */
import { join } from 'node:path'
import { openBrowser, reader } from '../test/support/browser/browser.ts'
import { runCli } from '../test/support/processes/cli.ts'
import { startDemo } from '../test/support/processes/demo.ts'

const root = join(import.meta.dirname, '..')
const pictured = [
  { name: 'overview', path: '/' },
  { name: 'overdue', path: '/overdue' },
  { name: 'grading', path: '/grading' },
  { name: 'assignments', path: '/assignments?fact=overdue' },
  // As wide as a mail.
  {
    name: 'digest',
    path: '/digest/preview?login=pia@example.com',
    viewport: { width: 680, height: 1080 },
  },
]
const names = process.argv.slice(2)

/** Whose digest is pictured: somebody who leads a few people, and not an owner. */
async function enterManager(): Promise<void> {
  const table = await fetch(`${demo.url}/overdue/by-manager.csv`)
  // manager_name, overdue, people, most_days_overdue, manager_id; most overdue first.
  const lines = (await table.text()).split('\r\n').filter((line) => Number(line.split(',').at(-3)) <= 20)
  const id = lines[0]?.split(',').at(-1) ?? ''
  const words = ['user', 'add', 'pia@example.com', '--role', 'manager', '--user-id', id, '--no-password']
  const added = await runCli(words, demo.env)
  if (added.code !== 0) throw new Error(added.err)
}

const demo = await startDemo()
try {
  await enterManager()
  const browser = await openBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ ...reader, colorScheme })
    const page = await context.newPage()
    for (const { name, path, viewport = { width: 1280, height: 860 } } of pictured) {
      if (names.length > 0 && !names.includes(name)) continue
      await page.setViewportSize(viewport)
      const response = await page.goto(`${demo.url}${path}`)
      if (response?.status() !== 200) throw new Error(`${path} answers ${response?.status()}`)
      await page.evaluate('document.fonts.ready')
      const file = join(root, 'docs/images', `${name}-${colorScheme}.png`)
      await page.screenshot({ path: file })
      process.stdout.write(`${file}\n`)
    }
    await context.close()
  }
  await browser.close()
} finally {
  await demo.stop()
}
