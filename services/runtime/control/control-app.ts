/**
 * Commands for a running process: chDB allows one process per data directory, so the process that has the store runs
 * them. On the admin port, from this machine only, with the token from the data directory.
 */
import { timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { stream } from 'hono/streaming'
import { CommandError, type CommandIo, type Commands, type ControlMessage, controlPath } from './command.ts'
import { toSafeMessage } from '../describe-error.ts'
import type { Logger } from '../logger.ts'
import { hashToken } from '../../config/token.ts'

type ControlAppDeps = {
  /** New at every start. */
  token: string
  commands: Commands
  logger: Logger
  /** Silence before an empty line is sent: `fetch` gives up after five silent minutes. Default 30 s. */
  aliveMs?: number
}

export function createControlApp({ token, commands, logger, aliveMs = 30_000 }: ControlAppDeps): Hono {
  const expected = hashToken(`Bearer ${token}`)
  const underWay = new Set<string>()
  const app = new Hono()

  app.use(`${controlPath}/*`, async (c, next) => {
    const presented = hashToken(c.req.header('authorization') ?? '')
    // Looks like an address that does not exist, so nothing is revealed.
    if (!isFromThisMachine(c) || !timingSafeEqual(presented, expected)) return c.notFound()
    await next()
    c.header('cache-control', 'no-store')
  })

  app.get(`${controlPath}/commands`, (c) => c.json({ commands: [...commands.keys()] }))

  app.post(`${controlPath}/commands/:name`, async (c) => {
    const name = c.req.param('name')
    const command = commands.get(name)
    if (command === undefined) return refuse(c, 404, `This process has no command ${name}.`)
    const input: unknown = await c.req.json().catch(() => undefined)
    if (underWay.has(name)) return refuse(c, 409, `${name} is running already. Try again when it has ended.`)
    underWay.add(name)
    c.header('content-type', 'application/x-ndjson')
    return stream(c, async (out) => {
      const leaving = new AbortController()
      out.onAbort(() => leaving.abort())
      const say = async (message: ControlMessage) => {
        await out.write(`${JSON.stringify(message)}\n`)
      }
      const io: CommandIo = {
        report: (progress) => void say({ type: 'progress', progress }),
        signal: leaving.signal,
      }
      const alive = setInterval(() => void out.write('\n'), aliveMs)
      try {
        const result = await command(input, io)
        await say({ type: 'result', result })
      } catch (error) {
        const isKnown = error instanceof CommandError
        if (!isKnown) logger.error({ err: error, command: name }, 'A command failed')
        const code = isKnown ? error.code : 'failed'
        await say({ type: 'error', code, message: toSafeMessage(error) })
      } finally {
        clearInterval(alive)
        underWay.delete(name)
      }
    })
  })
  return app
}

function refuse(c: Context, status: 404 | 409, message: string): Response {
  return c.json({ type: 'error', code: 'failed', message } satisfies ControlMessage, status)
}

/** Also where the port is bound to all addresses. It uses the socket's address: headers can be forged. */
function isFromThisMachine(c: Context): boolean {
  const { incoming } = c.env as { incoming?: { socket: { remoteAddress?: string; localAddress?: string } } }
  const from = incoming?.socket.remoteAddress?.replace(/^::ffff:/, '')
  if (from === undefined) return false
  // On an address other than loopback, local connections have the same address on both ends.
  return (
    from === '::1' ||
    from.startsWith('127.') ||
    from === incoming?.socket.localAddress?.replace(/^::ffff:/, '')
  )
}
