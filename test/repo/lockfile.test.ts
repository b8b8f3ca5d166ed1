import { expect, test } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }

type Locked = { optionalDependencies?: Record<string, string> }

test('the lockfile has every platform of every package, so that npm ci works on all of them', () => {
  const locked = lockfile.packages as Record<string, Locked>
  const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in locked) && !(`${path}/node_modules/${name}` in locked),
    ),
  )
  expect(missing).toEqual([])
})

test('the lockfile names no registry, so that npm ci uses the one that is configured', () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/"resolved":/)
})
