/** The workflow of releases, as far as it can be known without running it. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import packageJson from '../../package.json' with { type: 'json' }
import { testDirectory } from '../support/directories.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
type Job = { needs?: string; permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }
const workflow = parse(text) as { on: unknown; permissions: unknown; jobs: Record<'test' | 'publish', Job> }
const runs = (job: Job) => job.steps.map(({ run }) => run ?? '').join('\n')

describe('a release', () => {
  test('is made of a tag, after all tests, and only its last job may write', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(runs(workflow.jobs.test)).toContain('bash .ci/run')
    expect(workflow.jobs.publish.needs).toBe('test')
    expect(text).not.toContain('continue-on-error')
  })

  test.each(['release.yml', 'ci.yml'])('pins every action of %s by the commit of a named version', (name) => {
    const lines = readFileSync(join(root, '.github/workflows', name), 'utf8')
    const uses = lines.split('\n').filter((line) => line.includes('uses:'))
    expect(uses.length).toBeGreaterThan(5)
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('installs packages without their scripts in the job that can publish', () => {
    const installs = runs(workflow.jobs.publish).match(/npm (ci|install).*/g)
    expect(installs).toEqual(['npm ci --engine-strict --ignore-scripts'])
  })

  test('has the notes of its version, and none while that is unreleased', () => {
    const directory = testDirectory()
    const notes = (changelog: string) => {
      writeFileSync(join(directory, 'CHANGELOG.md'), changelog)
      const words = ['scripts/release-notes.ts', join(directory, 'CHANGELOG.md')]
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    const { version } = packageJson
    const older = '## 0.9.0 - 2026-01-01\nOlder.\n'
    expect(
      notes(`# Changelog\n\n## ${version} - 2026-12-01\nNew.\n\n**Pages**\n- One\n\n${older}`),
    ).toMatchObject({
      status: 0,
      stdout: 'New.\n\n**Pages**\n- One\n',
    })
    expect(notes(`## ${version} - unreleased\nNew.\n${older}`)).toMatchObject({ status: 1, stdout: '' })
    expect(notes(older)).toMatchObject({ status: 1, stderr: expect.stringContaining('missing') })
  })
})

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
