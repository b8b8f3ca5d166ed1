/**
 * `rollcall mcp`: `/mcp` of a running Rollcall for assistants that speak with a program on this machine. Messages pass as they
 * are, so this knows no tool.
 */
/* oxlint-disable unicorn/prefer-add-event-listener -- transports of the SDK have no other way to be heard */
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { isJSONRPCRequest, isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

export type McpBridgeOptions = {
  url: string
  token: string | undefined
  signal: AbortSignal
}

/** Until the assistant leaves. */
export async function bridgeMcp({ url, token, signal }: McpBridgeOptions): Promise<void> {
  const here = new StdioServerTransport()
  const there = new StreamableHTTPClientTransport(new URL('mcp', url.replace(/\/*$/, '/')), {
    ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  })
  const passing = new Set<Promise<void>>()
  here.onmessage = (message) => {
    const passed = pass(message).finally(() => passing.delete(passed))
    passing.add(passed)
  }
  there.onmessage = (message) => {
    const agreed = isJSONRPCResultResponse(message) ? message.result['protocolVersion'] : undefined
    if (typeof agreed === 'string') there.setProtocolVersion(agreed)
    void here.send(message)
  }

  async function pass(message: JSONRPCMessage): Promise<void> {
    try {
      await there.send(message)
    } catch (error) {
      if (!isJSONRPCRequest(message)) return
      await here.send({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: toWords(error, url) } })
    }
  }

  const end = new Promise<void>((resolve) => {
    process.stdin.once('close', resolve).once('end', resolve)
    signal.addEventListener('abort', () => resolve())
    here.onclose = resolve
  })
  await there.start()
  await here.start()
  await end
  // A pipe ends before its last question is answered.
  if (!signal.aborted) await Promise.allSettled(passing)
  await here.close()
  await there.close()
}

function toWords(error: unknown, url: string): string {
  if (!(error instanceof StreamableHTTPError)) return `No Rollcall answers at ${url}: start it, or say --url`
  if (error.code === 401 || error.code === 403)
    return `Rollcall at ${url} needs a token that may read numbers, as ROLLCALL_TOKEN: rollcall token create`
  return `Rollcall at ${url} answered ${error.code}`
}
