/** The examples of README.md and docs/sql.md give the numbers of the pages. A packed install runs the same: test/package. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkExamples } from '../support/examples.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { testDirectory } from '../support/directories.ts'

test('the examples run as they stand, and give the numbers of the pages', async () => {
  const cwd = testDirectory()
  await symlink(join(import.meta.dirname, '../../node_modules'), join(cwd, 'node_modules'))
  const embedded = await startEmbedded(join(cwd, 'data'))
  try {
    await checkExamples({ url: embedded.dashboardUrl, ingestUrl: embedded.ingestUrl, cwd })
    expect(await embedded.stop()).toBe(0)
  } finally {
    await embedded.kill()
  }
})
