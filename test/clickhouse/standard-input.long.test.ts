import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toBuilt } from '../support/processes/built.ts'
import { childEnvironment } from '../support/processes/child.ts'

test('what waits at the standard input is no row of an insert, and hinders none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-input-'))
  const run = spawnSync(process.execPath, [toBuilt('services/cli/main.ts'), 'migrate'], {
    env: childEnvironment({ DATA_DIR: directory }),
    input: '[9999, "of another program"]\n'.repeat(3),
    encoding: 'utf8',
  })
  rmSync(directory, { recursive: true })
  expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('01_events.sql') as unknown })
})

test('a file that another thread opens meanwhile under its number is waited for', () => {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { emptyInput } from '${new URL('../../services/clickhouse/empty-input.ts', import.meta.url).href}'
    const { closeSync, openSync, readSync } = fs
    let other
    fs.closeSync = (number) => {
      closeSync(number)
      if (number !== 0) return
      other = openSync('/dev/zero', 'r')
      setTimeout(() => closeSync(other), 25)
    }
    syncBuiltinESMExports()
    await emptyInput()
    console.log(JSON.stringify({ other, bytes: readSync(0, Buffer.alloc(1)) }))
  `
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', input: 'a row' })
  expect(run).toMatchObject({ stderr: '', stdout: '{"other":0,"bytes":0}\n' })
})
