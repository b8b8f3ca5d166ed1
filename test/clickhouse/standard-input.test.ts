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
