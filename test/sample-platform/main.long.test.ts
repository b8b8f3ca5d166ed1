import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Life } from '../../sample-platform/company/life.ts'
import { openReceiver } from './receiver.ts'

function run(...args: string[]) {
  const child = spawn(process.execPath, ['sample-platform/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, stdout: () => output, stderr: () => errors }
}

describe('the program', () => {
  it('sends the very history that the library gives for the same seed and end, and ends', async () => {
    const receiver = await openReceiver()
    const to = Date.UTC(2026, 7, 1)
    const { ended, stderr } = run(
      ...`--seed program --people 30 --months 2 --until 2026-08-01T00:00:00Z --rate 0 --port 0`.split(' '),
      '--register',
      receiver.url,
    )
    expect(await ended).toBe(0)
    const life = new Life({ seed: 'program', people: 30, from: to - 60 * 86_400_000 })
    const toHash = (bodies: Iterable<string>) =>
      createHash('sha256')
        .update([...bodies].sort().join('\n'))
        .digest('hex')
    const expected = Array.from(life.next(to), ({ body }) => body)
    expect(receiver.bodies).toHaveLength(expected.length)
    expect(toHash(receiver.bodies)).toBe(toHash(expected))
    expect(stderr()).toContain(`${expected.length} of ${expected.length} webhooks acknowledged`)
  })
})
