import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { testDirectory } from '../support/directories.ts'

const moduleUrl = new URL('../../services/ingest/keep-young.ts', import.meta.url).href
const ingest = new URL('../../services/ingest/main.ts', import.meta.url).pathname

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

/** Runs Node with these arguments. Resolves with its output, also when it fails. */
async function runNode(args: string[], env: Record<string, string> = {}): Promise<string> {
  const ran = promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

/**
 * Many objects from one place that survive, as those of waiting requests do. V8 reports each place that it makes old at once. With
 * one thread, V8 compiles and collects at the same points of every run, however busy the machine is.
 */
async function countOldPlaces(first: string): Promise<number> {
  const file = join(directory, 'survivors.mjs')
  const work = `
    let kept = []
    for (let id = 0; id < 1_000_000; id++) {
      kept.push({ id, list: [id] })
      if (kept.length > 200_000) kept = []
    }`
  await writeFile(file, `import { keepYoung } from '${moduleUrl}'\n${first}\n${work}`)
  return (
    (await runNode(['--single-threaded', '--trace-pretenuring-statistics', file])).split('=> tenure').length -
    1
  )
}

test('objects that survive are made young all the same', async () => {
  expect(await countOldPlaces('')).toBeGreaterThan(0)
  expect(await countOldPlaces('keepYoung()')).toBe(0)
})

test('the ingest process asks for it before it opens anything', async () => {
  const file = join(directory, 'tell.mjs')
  await writeFile(
    file,
    `import v8 from 'node:v8'
    import { syncBuiltinESMExports } from 'node:module'
    v8.setFlagsFromString = (flag) => { console.log('V8 was told', flag); process.exit() }
    syncBuiltinESMExports()`,
  )
  const printed = await runNode(['--import', file, ingest], {
    DATA_DIR: directory,
    ADMIN_PORT: '0',
    KAFKA_BROKERS: '127.0.0.1:9',
    INGEST_TOKENS: `here=${'0123456789abcdef'.repeat(3)}`,
  })
  expect(printed).toContain('V8 was told --no-allocation-site-pretenuring')
})
