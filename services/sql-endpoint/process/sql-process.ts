/**
 * The process in which analysts' statements run. It has an engine of its own over a snapshot: hard links to the parts of the store's
 * tables, which never change. Whatever a statement does, it ends with this process, and the server goes on.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { linkAll } from '../../runtime/files/link-all.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { openEmbeddedClickHouse } from '../../clickhouse/open-embedded.ts'
import { createAnswerWriter } from './answer-file.ts'
import type { FromProcess, ProcessOptions, StorePart, ToProcess } from './messages.ts'

const { directory, limits } = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions
const { writer, openAnalyst } = await openEmbeddedClickHouse({
  directory,
  readers: 1,
  writers: 1,
  streams: 1,
})

/** The server is gone: nobody waits for an answer, and a statement that never ends would keep this process. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

/** By table: the names that the parts have here, by the names that they have in the store. */
const partsOf = new Map<string, Map<string, string>>()
let writeAnswer: ReturnType<typeof createAnswerWriter> | undefined

process.on('message', (message: ToProcess) => {
  void answer(message).then(
    (format) => send({ format }),
    ({ code, type, message: text = 'unknown' }: { code?: string; type?: string; message?: string }) =>
      send({ error: { code, type, message: text } }),
  )
})
send({ format: '' })

/** Returns the format of an answer. */
async function answer(message: ToProcess): Promise<string> {
  switch (message.kind) {
    case 'create':
      await writer.command({ query: 'CREATE DATABASE IF NOT EXISTS rollcall ENGINE = Atomic' })
      for (const query of message.statements) await writer.command({ query })
      // Parts keep the names that they got here. It stops the merges of tables that are there.
      await writer.command({ query: 'SYSTEM STOP MERGES' })
      writeAnswer = createAnswerWriter(await openAnalyst(limits))
      return ''
    case 'parts':
      await follow(message.parts)
      return ''
    case 'answer':
      if (writeAnswer === undefined) throw new Error('There are no tables yet')
      return writeAnswer(message, message.path)
  }
}

async function follow(parts: readonly StorePart[]): Promise<void> {
  const byTable = Map.groupBy(parts, ({ table }) => table)
  for (const table of new Set([...byTable.keys(), ...partsOf.keys()])) {
    const parts = partsOf.get(table) ?? new Map<string, string>()
    partsOf.set(table, parts)
    const newParts = byTable.get(table) ?? []
    const names = new Set(newParts.map(({ name }) => name))
    const oldParts = [...parts].filter(([name]) => !names.has(name))
    const fresh = newParts.filter(({ name }) => !parts.has(name))
    if (fresh.length > 0) await attach(table, fresh, parts)
    for (const [name, here] of oldParts) {
      await writer.command({ query: `ALTER TABLE rollcall.${table} DROP PART '${here}'` })
      parts.delete(name)
    }
  }
}

/** A part that is attached gets the next block number, so the new ones come in the order in which they were attached. */
async function attach(table: string, fresh: readonly StorePart[], parts: Map<string, string>): Promise<void> {
  const [{ path } = { path: '' }] = await selectRows<{ path: string }>(
    writer,
    `SELECT data_paths[1] AS path FROM system.tables WHERE database = 'rollcall' AND name = '${table}'`,
  )
  const detached = join(path, 'detached')
  // All links first: a part that the store has replaced meanwhile changes nothing here.
  try {
    for (const part of fresh) linkAll(part.path, join(detached, part.name))
  } catch (error) {
    for (const { name } of fresh) rmSync(join(detached, name), { recursive: true, force: true })
    throw error
  }
  for (const { name } of fresh)
    await writer.command({ query: `ALTER TABLE rollcall.${table} ATTACH PART '${name}'` })
  const attached = new Set(parts.values())
  const rows = await selectRows<{ name: string }>(
    writer,
    `SELECT name FROM system.parts WHERE database = 'rollcall' AND table = '${table}' AND active ORDER BY min_block_number`,
  )
  const added = rows.map(({ name }) => name).filter((name) => !attached.has(name))
  if (added.length !== fresh.length) throw new Error(`${table} took ${added.length} of ${fresh.length} parts`)
  for (const [index, { name }] of fresh.entries()) parts.set(name, added[index] ?? '')
}

function send(message: FromProcess): void {
  process.send?.(message)
}
