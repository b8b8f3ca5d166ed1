import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import chromiumPackage from '@sparticuz/chromium'
import { runDirectoryVariable } from '../run-directory.ts'
import { until } from '../wait.ts'

/**
 * The program: CHROMIUM_PATH, or the one of the npm package. In a run of tests one file unpacks it and the others wait, because a
 * program that is still being written cannot be started (ETXTBSY).
 */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return given
  const run = process.env[runDirectoryVariable]
  if (run === undefined) return chromiumPackage.executablePath()
  const done = join(run, 'chromium.unpacked')
  if (isFirst(join(run, 'chromium.begun'))) {
    const path = await chromiumPackage.executablePath()
    writeFileSync(done, '')
    return path
  }
  await until(() => existsSync(done))
  return chromiumPackage.executablePath()
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
