/** An assistant at `/mcp`: the SDK's own client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Hono } from 'hono'

export type Json = Record<string, unknown>

export type Assistant = {
  client: Client
  /** The answer of a tool; a refusal is an error with its words. */
  ask(tool: string, given?: Json): Promise<Json>
  /** As it was sent. */
  askText(tool: string, given?: Json): Promise<{ text: string; isError: boolean }>
}

/** Without a network: the client's requests go to the app. */
export function openAssistant(app: Hono, headers: Record<string, string> = {}): Promise<Assistant> {
  const fetch = async (url: string | URL, init?: RequestInit) => app.request(url.toString(), init)
  return connectAssistant(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch,
      requestInit: { headers },
    }) as Transport,
  )
}

export async function connectAssistant(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const askText: Assistant['askText'] = async (name, given = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return { text: (content as { text: string }[]).map(({ text }) => text).join(''), isError: isError === true }
  }
  return {
    client,
    askText,
    async ask(tool, given) {
      const { text, isError } = await askText(tool, given)
      if (isError) throw new Error(text)
      return JSON.parse(text) as Json
    },
  }
}
