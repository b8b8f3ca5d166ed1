import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDirectory } from '../support/directories.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'

const root = join(import.meta.dirname, '../..')

/** A clone without a `.env`. */
function toClone(): string {
  const directory = testDirectory()
  for (const part of [
    'services',
    'schemas',
    'reporting',
    'language',
    'digest',
    'dashboards',
    'package.json',
  ]) {
    cpSync(join(root, part), join(directory, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  return directory
}
const { PATH, HOME } = process.env

test('npm start reads .env, on the Node that the project brings', () => {
  const directory = toClone()
  // A setting that cannot be used shows that it was read, and ends the start at once.
  writeFileSync(join(directory, '.env'), 'INGEST_PORT=from-the-env-file\n')
  const { status, stderr } = spawnSync('npm', ['start'], {
    cwd: directory,
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('INGEST_PORT')
})

test('kill of npm start ends Rollcall', async () => {
  const directory = toClone()
  const [INGEST_PORT = '', DASHBOARD_PORT = '', ADMIN_PORT = ''] = (await findFreePorts(3)).map(String)
  const env = { PATH, HOME, INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT }
  const npm = spawn('npm', ['start'], { cwd: directory, env, stdio: 'ignore' })
  const control = join(directory, 'data/control.json')
  const text = await until(
    async () => (existsSync(control) ? readFileSync(control, 'utf8') : ''),
    (read) => read !== '',
  )
  const { pid } = JSON.parse(text) as { pid: number }
  const isRunning = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => void (isRunning() && process.kill(pid, 'SIGKILL')))
  npm.kill('SIGTERM')
  expect(
    await until(
      async () => isRunning(),
      (running) => !running,
    ),
  ).toBe(false)
})

test.each([
  ['test/bench/door/bench.ts', 'This bench needs wrk: apt-get install wrk, or brew install wrk.'],
  ['test/bench/door/broker.ts', 'This needs a Kafka broker: install Java 17 and Maven (there is no java).'],
  [
    'test/fuzz/api.ts',
    expect.stringMatching(/^This needs Schemathesis, or uvx: pip install schemathesis==[\d.]+\.$/),
  ],
])('%s names the tool that is missing', (file, sentence) => {
  const words = ['--import', './services/runtime/jsx.ts', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    env: { PATH: '' },
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr: stderr.trimEnd() }).toEqual({ status: 2, stdout: '', stderr: sentence })
})
