/** An assistant at `/mcp`: the SDK's own client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
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
export async function openAssistant(app: Hono, headers: Record<string, string> = {}): Promise<Assistant> {
  const fetch = async (url: string | URL, init?: RequestInit) => app.request(url.toString(), init)
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch,
    requestInit: { headers },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Parameters<Client['connect']>[0])
  const askText: Assistant['askText'] = async (name, given = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return {
      text: (content as { text: string }[]).map(({ text }) => text).join(''),
      isError: isError === true,
    }
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
