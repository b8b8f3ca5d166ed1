/**
 * Takes the pictures of the README, docs/images/*.png: pages of the demo and a digest, light and dark. Needs nothing but the packages
 * of the project: npm run pictures, or only some: npm run pictures -- digest
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, reader } from '../test/support/browser/browser.ts'
import { findFreePorts } from '../test/support/processes/ports.ts'
import { runCli } from '../test/support/processes/cli.ts'
import { until } from '../test/support/wait.ts'

const root = join(import.meta.dirname, '..')
const pictured = [
  { name: 'overview', path: '/?compare=month' },
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
const wanted = process.argv.slice(2)

/** Whose digest is pictured: somebody who leads a few people, and not an owner. */
async function enterManager(): Promise<void> {
  const table = await fetch(`http://127.0.0.1:${dashboardPort}/overdue/by-manager.csv`)
  // manager_id, manager_name, overdue, people, most_days_overdue; most overdue first.
  const lines = (await table.text()).split('\r\n').filter((line) => Number(line.split(',').at(-3)) <= 20)
  const [id = ''] = lines[0]?.split(',') ?? []
  const words = ['user', 'add', 'pia@example.com', '--role', 'manager', '--user-id', id, '--no-password']
  const added = await runCli(words, {
    DATA_DIR: join(directory, 'demo'),
    ADMIN_PORT: String(adminPort),
  })
  if (added.code !== 0) throw new Error(added.err)
}

const directory = await mkdtemp(join(tmpdir(), 'rollcall-pictures-'))
const [ingestPort, dashboardPort, adminPort] = await findFreePorts(3)
const demo = spawn(process.execPath, ['--import', './services/runtime/jsx.ts', 'sample-platform/demo.ts'], {
  cwd: root,
  env: {
    PATH: process.env['PATH'],
    DATA_DIR: directory,
    INGEST_PORT: String(ingestPort),
    DASHBOARD_PORT: String(dashboardPort),
    ADMIN_PORT: String(adminPort),
  },
  stdio: ['ignore', 'ignore', 'pipe'],
})
try {
  let output = ''
  demo.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(
    async () => output,
    (text) => text.includes('now live'),
  )
  await enterManager()
  const browser = await openBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ ...reader, colorScheme })
    const page = await context.newPage()
    for (const { name, path, viewport = { width: 1280, height: 860 } } of pictured) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      await page.setViewportSize(viewport)
      const response = await page.goto(`http://127.0.0.1:${dashboardPort}${path}`)
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
  demo.kill('SIGTERM')
  if (demo.exitCode === null) await once(demo, 'exit')
  await rm(directory, { recursive: true, force: true })
}
