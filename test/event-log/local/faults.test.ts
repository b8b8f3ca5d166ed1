import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { createStore, readerOptions } from '../contract.ts'
import { toId, toRecord } from '../records.ts'
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

  async function readAll() {
    const store = createStore()
    const reader = openLocalLogReader({ directory })
    reader.start(store.handler, readerOptions, (error) => {
      throw error
    })
    await until(() => store.caughtUp.length > 0)
    await reader.close()
    return store.records
  }

  test('kill -9 at any moment loses nothing acknowledged and doubles nothing', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < (isLong ? 24 : 2); round++) {
      const writer = startWriter(`round ${round}`, round % 2 === 0 ? 1 : 64)
      // Never at the same step.
      const enough = randomInt(1, 120)
      await until(
        () => writer.acknowledged().length,
        (count) => count >= enough,
      )
      writer.process.kill('SIGKILL')
      await writer.ended
      acknowledged.push(...writer.acknowledged())
    }
    const records = await readAll()
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
    await until(
      () => writer.acknowledged().length,
      (count) => count > 50,
    )
    // The kernel itself now refuses to let any file of that process grow past this size.
    limitFileSize(writer.process.pid as number, '1000000')
    await until(() => writer.lines().some((line) => line.startsWith('refused')))
    expect(
      writer
        .lines()
        .filter((line) => line.startsWith('refused'))
        .every((line) => /LOG_(IO|FULL)$/.test(line)),
    ).toBe(true)

    limitFileSize(writer.process.pid as number, 'unlimited')
    const before = writer.acknowledged().length
    await until(
      () => writer.acknowledged().length,
      (count) => count > before + 50,
    )
    writer.process.kill('SIGKILL')
    await writer.ended
    const ids = (await readAll()).map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(writer.acknowledged().filter((id) => !ids.includes(id))).toEqual([])
  })

  // Mounting needs root; where it is refused, the test above still has the same path refused by the kernel.
  const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
  test.runIf(canMount)(
    'a full disk is answered with LOG_FULL, and recovered from once there is room',
    async () => {
      const disk = join(directory, 'disk')
      mkdirSync(disk)
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]).status).toBe(0)
      try {
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000))
        const writer = await openLocalLogWriter({ directory: join(disk, 'log') })
        const acknowledged: string[] = []
        let refusal: { code?: string } | undefined
        for (let index = 0; index < 5_000 && refusal === undefined; index++) {
          const record = toRecord(`${index} `.padEnd(2_000, 'x'))
          await writer.append(record).then(
            () => acknowledged.push(record.eventId),
            (error) => (refusal = error),
          )
        }
        expect(refusal?.code).toBe('LOG_FULL')
        expect(writer.health()).toMatchObject({ ok: false, reason: expect.stringContaining('full') })

        rmSync(join(disk, 'ballast'))
        await until(() => writer.health().ok)
        const after = toRecord('room again')
        await writer.append(after)
        const store = createStore()
        const reader = openLocalLogReader({ directory: join(disk, 'log') })
        reader.start(store.handler, readerOptions, () => {})
        await until(
          () => store.records.length,
          (count) => count >= acknowledged.length + 1,
        )
        expect(store.ids()).toEqual([...acknowledged, after.eventId])
        await reader.close()
        await writer.close()
      } finally {
        spawnSync('umount', ['-l', disk])
      }
    },
  )
})

function limitFileSize(pid: number, bytes: string): void {
  const result = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`], { encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`prlimit (package util-linux) is needed here: ${result.stderr ?? result.error}`)
}
