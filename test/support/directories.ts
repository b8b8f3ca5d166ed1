/** Directories of tests, within that of their run (`run-directory.ts`). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const make = () => mkdtempSync(join(tmpdir(), 'rollcall-test-'))
const remove = (directory: string) => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })

/** A directory of a test, made by it or in `beforeEach`. It goes after the test and its `afterEach`. */
export function testDirectory(): string {
  const directory = make()
  onTestFinished(() => remove(directory))
  return directory
}

/** A directory of all tests of a file, made at its top. It goes after them and every `afterAll` that follows. */
export function fileDirectory(): string {
  const directory = make()
  afterAll(() => remove(directory))
  return directory
}
