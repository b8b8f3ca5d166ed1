/** Between a process and a ClickHouse: passes everything on, and cuts where a test says. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { findFreePort } from '../processes/ports.ts'

/** The cut of a request. `before`: it never arrives. `after`: it is done, and the client does not learn of it. */
export type Cut = 'before' | 'after' | undefined

/** `reset`: nothing of it arrives; `broken`: half of it, then the connection ends; `ended`: half of it, as if whole. */
export type AnswerCut = 'reset' | 'broken' | 'ended' | undefined

export type Proxy = {
  url: string
  /** Asked about every answer, when the server has given all of it; the default lets all pass. */
  onAnswer: () => AnswerCut
  /** Asked about every INSERT, which waits for the answer; the default lets all pass. */
  onInsert: (table: string) => Cut | Promise<Cut>
  /** Called when the server has done an INSERT, whether or not its sender learns of it. */
  onInsertDone: (table: string) => unknown
  /** Called where a request was cut, before its connection ends. */
  onCut: (table: string, cut: 'before' | 'after') => void
  /** Refuses connections, as a server that is away; those there are end at once. */
  refuse(): Promise<void>
  /** On the same port. */
  accept(): Promise<void>
  close(): Promise<void>
}

export async function openProxy(target: string): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  // Nobody else takes it while this is away.
  const port = await findFreePort()
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen()
  const proxy: Proxy = {
    url: `http://127.0.0.1:${port}`,
    onAnswer: () => undefined,
    onInsert: () => undefined,
    onInsertDone: () => {},
    onCut: () => {},
    refuse: stop,
    accept: listen,
    close: stop,
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(incoming.url ?? '/', target)
    const table = /^\s*INSERT INTO (?:rollcall\.)?`?(\w+)/i.exec(searchParams.get('query') ?? '')?.[1]
    // All of an INSERT is here before it is asked about: its sender may be stopped from then on.
    const body = table === undefined ? undefined : await buffer(incoming).catch(() => undefined)
    if (table !== undefined && body === undefined) return
    const cut = table === undefined ? undefined : await proxy.onInsert(table)
    if (cut === 'before') return end(incoming, table ?? '', cut)
    const forwarded = request(`${target}${pathname}${search}`, {
      method: incoming.method,
      headers: incoming.headers,
    })
    forwarded.on('error', () => incoming.socket.destroy())
    forwarded.on('response', (answer) => {
      // A server that died in the middle of its answer: the connection breaks here, too.
      answer.once('close', () => {
        if (!answer.complete) incoming.socket.destroy()
      })
      if (table !== undefined) answer.once('end', () => proxy.onInsertDone(table))
      if (cut === 'after') {
        // Its last byte says that the statement is done.
        answer.resume()
        answer.once('end', () => end(incoming, table ?? '', cut))
        return
      }
      void answerWith(answer, outgoing).catch(() => incoming.socket.destroy())
    })
    if (body === undefined) incoming.pipe(forwarded)
    else forwarded.end(body)
  }

  async function answerWith(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await buffer(answer)
    const cut = proxy.onAnswer()
    if (cut === 'reset') return void outgoing.socket?.destroy()
    const { 'content-length': _length, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    if (cut !== 'broken')
      return void outgoing.end(cut === 'ended' ? bytes.subarray(0, bytes.length >> 1) : bytes)
    outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.socket?.destroy())
  }

  /** The connection: destroying a request that was read to its end does nothing, and its sender would wait for its own limit. */
  function end(incoming: IncomingMessage, table: string, cut: 'before' | 'after'): void {
    proxy.onCut(table, cut)
    incoming.socket.destroy()
  }
  return proxy
}
