/**
 * The start of the product as a package has it, by the wall, until Home is there: in a new folder, in one that has a store, and the first
 * one after an installation, which compiles. `npm run bench:start -- [rounds=7]` builds it first.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { childEnvironment } from '../support/processes/child.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { readArguments } from './arguments.ts'
import { exitIf } from '../support/needs.ts'
import { report } from './report.ts'

const { rounds } = readArguments({ rounds: 7 })
const dist = join(import.meta.dirname, '../../dist')
const command = join(dist, 'rollcall.js')
exitIf(!existsSync(command) && 'There is no dist: npm run build.')

const folder = join(mkdtempSync(join(tmpdir(), 'rollcall-start-')), 'data')
const removeStore = () => rmSync(folder, { recursive: true, force: true })
const removeCompiled = () => rmSync(join(dist, 'node_modules/.cache'), { recursive: true, force: true })
await start()
await measure('in a new folder', removeStore)
await measure('later', () => {})
await measure('after an installation', () => {
  removeStore()
  removeCompiled()
})
removeStore()

async function measure(what: string, prepare: () => void): Promise<void> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    prepare()
    taken.push(await start())
  }
  const [least = NaN, middle = NaN, most = NaN] = [0, rounds >> 1, rounds - 1].map(
    (at) => taken.toSorted((a, b) => a - b)[at],
  )
  console.log(
    `start to first page, ${what}: ${middle.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`,
  )
  report({ what: `start to first page, packed, ${what}`, value: middle, unit: 'ms', aim: 2_000 })
}

async function start(): Promise<number> {
  const [ingest, dashboards, admin] = (await findFreePorts(3)).map(String) as [string, string, string]
  const env = { DATA_DIR: folder, INGEST_PORT: ingest, DASHBOARD_PORT: dashboards, ADMIN_PORT: admin }
  const from = performance.now()
  const child = spawn(process.execPath, [command, 'start'], { env: childEnvironment(env), stdio: 'ignore' })
  for (;;) {
    const page = await fetch(`http://127.0.0.1:${dashboards}`).catch(() => null)
    if (page?.ok === true && (await page.text()).includes('<title>')) break
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`)
    await pause(5)
  }
  const taken = performance.now() - from
  child.kill('SIGTERM')
  await once(child, 'exit')
  return taken
}
