import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './preload/mutants.ts'

test.each(Object.entries(mutants))(
  'the mutant %s fits the source that it changes',
  (_, { file, from, to }) => {
    const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    expect(source).toContain(from)
    expect(to).not.toBe(from)
  },
)
