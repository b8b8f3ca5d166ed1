import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeLeftovers } from './run-directory.ts'
import { canMount } from './small-disk.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'leftovers-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

/** The id of a process that has ended, so that nobody else has it. */
const deadPid = spawnSync('true').pid

function leave(name: string, files = 3): string {
  const directory = join(parent, name)
  mkdirSync(join(directory, 'deep'), { recursive: true })
  for (let file = 0; file < files; file++) writeFileSync(join(directory, 'deep', `${file}`), 'left')
  return directory
}

describe('what a killed test run has left', () => {
  test('is removed; what a running one uses, and what is of somebody else, is not', () => {
    const left = leave(`rollcall-tests-${deadPid}-abc`)
    const kept = [leave(`rollcall-tests-${process.pid}-abc`), leave('rollcall-tests-of-somebody'), leave('other')]
    removeLeftovers(parent)
    expect(existsSync(left)).toBe(false)
    expect(kept.map((directory) => existsSync(directory))).toEqual([true, true, true])
  })

  test('is removed by several runs at once, and none of them fails', async () => {
    for (let each = 0; each < 8; each++) leave(`rollcall-tests-${deadPid}-${each}`, 150)
    const source = pathToFileURL(join(import.meta.dirname, 'run-directory.ts')).href
    const program = `const { removeLeftovers } = await import(${JSON.stringify(source)})
      process.stdin.once('data', () => { removeLeftovers(${JSON.stringify(parent)}); process.exit(0) })
      console.log('ready')`
    const runs = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(runs.map((run) => once(run.stdout, 'data')))
    const ended = runs.map((run) => once(run, 'exit'))
    for (const run of runs) run.stdin.write('go')
    expect((await Promise.all(ended)).map(([code]) => code as number)).toEqual([0, 0, 0])
    // Leftovers that two have left to one another are for the next one.
    removeLeftovers(parent)
    expect(readdirSync(parent)).toEqual([])
  })

  test.runIf(canMount)('and cannot be removed keeps no run from starting, and no other from being removed', () => {
    const busy = leave(`rollcall-tests-${deadPid}-1`)
    const other = leave(`rollcall-tests-${deadPid}-2`)
    const mounted = join(busy, 'mounted')
    mkdirSync(mounted)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted]).status).toBe(0)
    try {
      removeLeftovers(parent)
      expect([busy, other].map((directory) => existsSync(directory))).toEqual([true, false])
    } finally {
      spawnSync('umount', ['-l', mounted])
    }
    removeLeftovers(parent)
    expect(existsSync(busy)).toBe(false)
  })
})
