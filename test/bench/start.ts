/**
 * The start of the product as a package has it, by the wall, until Home is there: in a new folder, in one that has a store, and the first
 * one after an installation, which compiles. Needs `npm run build`. Arguments: [rounds=7]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../support/processes/child.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { exitIf } from '../support/needs.ts'
import { until } from '../support/wait.ts'
import { median, readNumbers, report, time } from './report.ts'

const [rounds] = readNumbers(7)
const dist = join(import.meta.dirname, '../../dist')
const command = join(dist, 'rollcall.js')
exitIf(!existsSync(command) && 'There is no dist: npm run build.')

const folder = join(mkdtempSync(join(tmpdir(), 'rollcall-start-')), 'data')
const remove = (path: string) => rmSync(path, { recursive: true, force: true })
await start()
for (const [what, prepare] of [
  ['in a new folder', () => remove(folder)],
  ['later', () => {}],
  ['after an installation', () => [folder, join(dist, 'node_modules/.cache')].forEach(remove)],
] as const) {
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    prepare()
    taken.push(await start())
  }
  report({ what: `start to first page, packed, ${what}`, value: median(taken), unit: 'ms', aim: 2_000 })
}
remove(folder)

async function start(): Promise<number> {
  const [INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT] = (await findFreePorts(3)).map(String)
  const env = { DATA_DIR: folder, INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT } as Record<string, string>
  const readPage = () =>
    fetch(`http://127.0.0.1:${DASHBOARD_PORT}`).then(
      (page) => page.ok,
      () => false,
    )
  const child = spawn(process.execPath, [command, 'start'], { env: childEnvironment(env), stdio: 'ignore' })
  const taken = await time(() => until(readPage))
  child.kill('SIGTERM')
  await once(child, 'exit')
  return taken
}
