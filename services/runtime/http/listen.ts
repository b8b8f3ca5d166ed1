/** Starts and stops an HTTP server around a Hono app or its listener. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Env, Hono } from 'hono'
import { StartError } from '../../config/start-error.ts'
import { toLocalUrl } from '../../config/values/address.ts'

export type Listening = {
  /** As bound: differs from the setting where that is 0. */
  port: number
  /** As `toLocalUrl` makes it. */
  url: string
  server: Server
  /** Finishes requests in progress, accepts no new connection, and cuts what remains after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

export type ListenOptions = {
  handler: Hono | RequestListener
  host: string
  port: number
  /** The setting of the port, for the message when it cannot be used. */
  portVariable: string
  serverOptions?: ServerOptions
  /** Called before listening, to add event handlers. */
  prepare?: (server: Server) => void
}

export async function listen(options: ListenOptions): Promise<Listening> {
  const { handler, host } = options
  const server = createServer(
    options.serverOptions ?? {},
    typeof handler === 'function' ? handler : toListener(handler),
  )
  options.prepare?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartError(cause, options)))
    server.listen({ host, port: options.port }, resolve)
  }).catch((error: unknown) => {
    server.close()
    throw error
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: toLocalUrl(host, port),
    server,
    async close(timeoutMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Repeated: a connection that finishes its request now would otherwise stay for its keep-alive time.
      const idle = setInterval(() => server.closeIdleConnections(), 25)
      const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
      await closed
      clearInterval(idle)
      clearTimeout(cut)
    },
  }
}

/** Tries the ports of a process before it writes anything: who starts a second one by mistake gets an answer at once, and no half a store. */
export async function checkPorts(
  host: string,
  ports: Pick<ListenOptions, 'port' | 'portVariable'>[],
): Promise<void> {
  const opened: Listening[] = []
  try {
    // All at once: two settings may name one port.
    for (const port of ports)
      opened.push(await listen({ host, ...port, handler: (_, response) => response.end() }))
  } finally {
    await Promise.all(opened.map((each) => each.close(0)))
  }
}

type ListenerOptions = {
  /** Reads the rest of a request's body after a handler. Default yes; `false` where all handlers do so. */
  readsLeftovers?: boolean
  /** Answers an invalid request, such as one with an impossible Host. Default: status 400 without a body. */
  onUnreadable?: () => Response
}

export function toListener<E extends Env>(app: Hono<E>, options: ListenerOptions = {}): RequestListener {
  const { readsLeftovers = true, onUnreadable } = options
  const fetch = app.fetch as Hono['fetch']
  const answer = getRequestListener((request, env) => fetch(request, env), {
    // The global Request and Response stay as they are: a library that replaces them changes them for everyone.
    overrideGlobalObjects: false,
    autoCleanupIncoming: readsLeftovers,
    // For a request without a Host, which HTTP/1.0 permits.
    hostname: 'localhost',
    ...(onUnreadable !== undefined && { errorHandler: onUnreadable }),
  })
  return (request, response) => void answer(request, response)
}

/** Not of this machine, not known, of a kind that this machine does not have, or a name that nobody answers for. */
const wrongHostCodes = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAFNOSUPPORT', 'EAI_AGAIN', 'EINVAL']

function toStartError(cause: NodeJS.ErrnoException, { host, port, portVariable }: ListenOptions): Error {
  const { code = '' } = cause
  const where = `${host}:${port}`
  const problems: Record<string, string> = {
    EADDRINUSE: `${where} is in use. Stop what listens there, or set ${portVariable} to another port.`,
    EACCES: `${where} may not be used. Set ${portVariable} to 1024 or more.`,
  }
  const wrongHost = `This machine has no address ${host}. Set HOST to one that it has.`
  const problem = problems[code] ?? (wrongHostCodes.includes(code) ? wrongHost : undefined)
  return problem === undefined ? cause : new StartError(problem, { cause })
}
