/**
 * Commands for a process that runs: chDB is one process per data directory, so what needs the store is asked of whoever has
 * it. On the admin port, for this machine only, and only with the token that lies in the data directory for its owner.
 */
import { timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { stream } from 'hono/streaming'
import { CommandError, type CommandIo, type Commands } from './command.ts'
import { controlPath, type ControlMessage } from './control-message.ts'
import { toSafeMessage } from '../describe-error.ts'
import type { Logger } from '../logger.ts'
import { hashToken } from '../../config/token.ts'

export type ControlAppDeps = {
  /** Made anew at every start. */
  token: string
  commands: Commands
  logger: Logger
}

export function createControlApp({ token, commands, logger }: ControlAppDeps): Hono {
  const expected = hashToken(`Bearer ${token}`)
  const underWay = new Set<string>()
  const app = new Hono()

  app.use(`${controlPath}/*`, async (c, next) => {
    const presented = hashToken(c.req.header('authorization') ?? '')
    // Like any address that is not there: from outside nothing tells that there is something.
    if (!isFromThisMachine(c) || !timingSafeEqual(presented, expected)) return c.notFound()
    await next()
    c.header('cache-control', 'no-store')
  })

  app.get(`${controlPath}/commands`, (c) => c.json({ commands: [...commands.keys()] }))

  app.post(`${controlPath}/commands/:name`, async (c) => {
    const name = c.req.param('name')
    const command = commands.get(name)
    if (command === undefined) return refuse(c, 404, `This process has no command ${name}.`)
    const parsed = command.args.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) return refuse(c, 400, parsed.error.issues.map((issue) => issue.message).join(' '))
    if (underWay.has(name)) return refuse(c, 409, `${name} is being done already. Try again when it has ended.`)
    underWay.add(name)
    c.header('content-type', 'application/x-ndjson')
    return stream(c, async (out) => {
      const gone = new AbortController()
      out.onAbort(() => gone.abort())
      const say = async (message: ControlMessage) => {
        await out.write(`${JSON.stringify(message)}\n`)
      }
      const io: CommandIo = {
        report: (progress) => void say({ type: 'progress', progress }),
        write: (bytes) => say({ type: 'bytes', base64: Buffer.from(bytes).toString('base64') }),
        signal: gone.signal,
      }
      try {
        const result = await command.run(parsed.data, io)
        await say({ type: 'result', result })
      } catch (error) {
        const isKnown = error instanceof CommandError
        if (!isKnown) logger.error({ err: error, command: name }, 'A command failed')
        const code = isKnown ? error.code : 'failed'
        await say({ type: 'error', code, message: toSafeMessage(error) })
      } finally {
        underWay.delete(name)
      }
    })
  })
  return app
}

function refuse(c: Context, status: 400 | 404 | 409, message: string): Response {
  const code = status === 400 ? 'usage' : 'failed'
  return c.json({ type: 'error', code, message } satisfies ControlMessage, status)
}

/** Also where the port is bound to all addresses. The socket's own word: headers say what a sender likes. */
function isFromThisMachine(c: Context): boolean {
  const { incoming } = c.env as { incoming?: { socket: { remoteAddress?: string; localAddress?: string } } }
  const from = incoming?.socket.remoteAddress?.replace(/^::ffff:/, '')
  if (from === undefined) return false
  // Both ends have the same address where it is bound to one that is not the loopback's.
  return from === '::1' || from.startsWith('127.') || from === incoming?.socket.localAddress?.replace(/^::ffff:/, '')
}
