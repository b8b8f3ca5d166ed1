/** Free ports for processes that must know theirs before they listen. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range that systems take the ports of outgoing connections from (Linux 32768, macOS 49152): between this answer
 * and its use no connection can take the port, and no other worker of the run, as each has a part of its own. Random, so that
 * two test runs do not walk the same way.
 */
const range = { min: 20_000, max: 32_000 }
const parts = 8
const partSize = (range.max - range.min) / parts
/** Vitest numbers its workers from 1. */
const from = range.min + (Number(process.env['VITEST_POOL_ID'] ?? 0) % parts) * partSize
/** Tried before: perhaps answered, and not listened on yet. */
const taken = new Set<number>()

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(from, from + partSize)
    if (taken.has(port)) continue
    taken.add(port)
    if (await isFree(port)) return port
  }
}

export async function findFreePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, findFreePort))
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
