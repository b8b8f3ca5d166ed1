/** Free ports for processes that must know theirs before they listen. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range that systems take the ports of outgoing connections from (Linux 32768, macOS 49152): between this answer
 * and its use no connection can take the port. Random, so that two test runs do not walk the same way.
 */
const range = { min: 20_000, max: 32_000 }

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.min, range.max)
    if (await isFree(port)) return port
  }
}

/** All different. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await findFreePort())
  return [...ports]
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
