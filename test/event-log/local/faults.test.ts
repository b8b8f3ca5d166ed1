import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { toId } from '../records.ts'
import { readAllOf } from './whole-log.ts'
import { until } from '../../support/wait.ts'
import { isLong } from '../../support/tiers.ts'
import { testDirectory } from '../../support/directories.ts'

const child = fileURLToPath(new URL('./writer-child.ts', import.meta.url))

describe('the local log under faults', () => {
  let directory: string

  beforeEach(() => {
    directory = testDirectory()
  })

  function startWriter(label: string, callers: number) {
    const started = spawn(process.execPath, [child, directory, label, String(callers)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    started.stdout.on('data', (chunk) => (output += chunk))
    const ended = new Promise((resolve) => started.once('close', resolve))
    /** Whole lines only: a kill may cut one in two. */
    const lines = () =>
      output
        .slice(0, output.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== '')
    return {
      process: started,
      ended,
      acknowledged: () => lines().filter((line) => /^[0-9a-f]{32}$/.test(line)),
      lines,
    }
  }

  test('kill -9 at any moment loses nothing acknowledged and doubles nothing', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < (isLong ? 24 : 2); round++) {
      const writer = startWriter(`round ${round}`, round % 2 === 0 ? 1 : 64)
      // Never at the same step.
      const enough = randomInt(1, 120)
      await until(() => writer.acknowledged().length >= enough)
      writer.process.kill('SIGKILL')
      await writer.ended
      acknowledged.push(...writer.acknowledged())
    }
    const { records } = await readAllOf(directory)
    const times = new Map<string, number>()
    for (const { eventId, body } of records) {
      expect(toId(body)).toBe(eventId)
      times.set(eventId, (times.get(eventId) ?? 0) + 1)
    }
    expect(acknowledged.filter((id) => times.get(id) !== 1)).toEqual([])
    expect([...times.values()].filter((count) => count !== 1)).toEqual([])
  })

  test('a disk that refuses writes is answered with LOG_IO or LOG_FULL, and recovered from without a restart', async () => {
    const writer = startWriter('refused', 4)
    await until(() => writer.acknowledged().length > 50)
    // The kernel itself now refuses to let any file of that process grow past this size.
    limitFileSize(writer.process.pid as number, '1000000')
    const refused = () => writer.lines().filter((line) => line.startsWith('refused'))
    await until(() => refused().length > 0)
    expect(refused().every((line) => /LOG_(IO|FULL)$/.test(line))).toBe(true)

    limitFileSize(writer.process.pid as number, 'unlimited')
    const before = writer.acknowledged().length
    await until(() => writer.acknowledged().length > before + 50)
    writer.process.kill('SIGKILL')
    await writer.ended
    const ids = (await readAllOf(directory)).ids
    expect(new Set(ids).size).toBe(ids.length)
    expect(writer.acknowledged().filter((id) => !ids.includes(id))).toEqual([])
  })
})

function limitFileSize(pid: number, bytes: string): void {
  const result = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`], { encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`prlimit (package util-linux) is needed here: ${result.stderr ?? result.error}`)
}
