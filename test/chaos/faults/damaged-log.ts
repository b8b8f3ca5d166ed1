/**
 * Flipped bytes in a local log: the event log of the embedded product, the spool of ingest. This is the one fault that may cost
 * deliveries, so what it destroyed is found out here, and nothing else may be missing at the end.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { chance, type Random } from '../../../sample-platform/random.ts'
import { isDamage } from '../../../services/event-log/local/damage/error.ts'
import { countLost, readLosses } from '../../../services/event-log/local/damage/losses.ts'
import { openRows } from '../../../services/event-log/local/rows.ts'
import { openLocalDatabase } from '../../../services/event-log/local/table.ts'
import { runCli } from '../../support/processes/cli.ts'
import type { ManagedProcess } from '../processes.ts'
import { flipLog } from './files.ts'

export type DamagedLog = {
  /** Event ids that were whole in the log before the damage and are not any more. */
  destroyed: ReadonlySet<string>
  /** Deliveries of which the product says that they are lost. */
  admitted(): number
  /** For the stopped process, which runs again afterwards. */
  damage(random: Random): Promise<void>
}

type Options = { process: ManagedProcess; directory: string; env: Record<string, string> }

export function createDamagedLog({ process, directory, env }: Options): DamagedLog {
  const destroyed = new Set<string>()

  /** As an operator does. */
  async function repair(): Promise<void> {
    const { code, out, err } = await runCli(['log', 'repair'], env)
    // 3: it is whole again, and something was lost.
    if (code !== 0 && code !== 3) throw new Error(`rollcall log repair ended with ${code}:\n${out}${err}`)
    for (const name of readdirSync(dirname(directory))) {
      if (name.startsWith(`${basename(directory)}.damaged-`))
        rmSync(join(dirname(directory), name), { recursive: true })
    }
  }

  return {
    destroyed,
    admitted: () => countLost(readLosses(directory)),
    async damage(random) {
      const before = readWhole(directory)
      flipLog(directory, random)
      // Half of the operators repair it first; the others see whether it starts.
      const isRepairedFirst = chance(random, 0.5)
      if (isRepairedFirst) await repair()
      const after = readWhole(directory)
      for (const id of before) if (!after.has(id)) destroyed.add(id)
      if (!isRepairedFirst) {
        await process.start().catch((error: unknown) => {
          if (!/log repair/.test(String(error))) throw error
        })
        await process.kill()
        await repair()
      }
      await process.start()
    },
  }
}

/** Ids of deliveries in the log that are as received; read from a copy, because opening a log changes its files. */
function readWhole(directory: string): Set<string> {
  const copy = mkdtempSync(join(tmpdir(), 'rollcall-log-copy-'))
  const ids = new Set<string>()
  try {
    cpSync(directory, copy, { recursive: true, filter: (path) => !/reserve$|\.lock$|-shm$/.test(path) })
    const database = openLocalDatabase(copy)
    try {
      const rows = openRows(database, copy)
      for (let from = 0; ;) {
        const { records, next, isEnd } = rows.read(from, 1_000)
        for (const { eventId, isDamaged } of records) if (!isDamaged) ids.add(eventId)
        if (isEnd) return ids
        from = next
      }
    } finally {
      database.close()
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    return ids
  } finally {
    rmSync(copy, { recursive: true })
  }
}
