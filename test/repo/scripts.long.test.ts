import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('npm start reads .env, on the Node that the project brings', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-clone-'))
  for (const part of ['services', 'schemas', 'reporting', 'language', 'digest', 'dashboards', 'package.json']) {
    cpSync(join(root, part), join(directory, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  // A setting that cannot be used shows that it was read, and ends the start at once.
  writeFileSync(join(directory, '.env'), 'INGEST_PORT=from-the-env-file\n')
  const { PATH, HOME } = process.env
  const { status, stderr } = spawnSync('npm', ['start'], { cwd: directory, env: { PATH, HOME }, encoding: 'utf8' })
  rmSync(directory, { recursive: true })
  expect(status).toBe(2)
  expect(stderr).toContain('INGEST_PORT')
})

test('rollcall says nothing about a .env that is not there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-cwd-'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/rollcall.js'), '--version'], {
    cwd: directory,
    encoding: 'utf8',
  })
  rmSync(directory, { recursive: true })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('npm run fuzz:api says what it needs, before it starts anything', () => {
  const script = ['--import', './services/runtime/jsx.ts', 'test/fuzz/api.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, script, {
    cwd: root,
    env: { PATH: '' },
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^Schemathesis is not on the PATH.* pip install schemathesis==[\d.]+\n$/)
})
