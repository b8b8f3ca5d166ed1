/** `rollcall mcp`, as an assistant starts it: in a process of its own, over stdin and stdout. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../../services/runtime/http/listen.ts'
import { openCompany } from '../dashboards/access/company.ts'
import { connectAssistant, openAssistant } from '../dashboards/mcp/assistant.ts'
import { toBuilt } from '../support/processes/built.ts'
import { childEnvironment } from '../support/processes/child.ts'
import { runCliInside } from '../support/processes/cli.ts'

const cwd = tmpdir()
const words = [toBuilt('services/cli/main.ts'), 'mcp']

const company = await openCompany()
const server = await listen({ handler: company.app, host: '127.0.0.1', port: 0, portVariable: 'DASHBOARD_PORT' })
const bearer = await company.as('analyst')
afterAll(async () => {
  await server.close(1_000)
  await company.close()
})

const token = () => bearer.authorization?.slice('Bearer '.length) ?? ''

function start(more: string[], env: Record<string, string>) {
  const all = childEnvironment(env) as Record<string, string>
  return connectAssistant(
    new StdioClientTransport({ command: process.execPath, args: [...words, ...more], env: all, cwd, stderr: 'ignore' }),
  )
}

test('gives the tools and answers of the dashboards, with the rights of its token', async () => {
  const here = await start(['--url', server.url], { ROLLCALL_TOKEN: token() })
  const there = await openAssistant(company.app, bearer)
  expect(await here.client.listTools()).toEqual(await there.client.listTools())
  const { page: _, ...answer } = await there.ask('metric', { metric: 'assigned' })
  expect(await here.ask('metric', { metric: 'assigned' })).toEqual({
    ...answer,
    page: expect.stringContaining(`${server.url}/?`),
  })
  await here.client.close()
})

test('finds the dashboards of this machine by the settings', async () => {
  const { port } = new URL(server.url)
  const here = await start([], { DASHBOARD_PORT: port, ROLLCALL_TOKEN: token() })
  expect((await here.client.listTools()).tools).toHaveLength(6)
  await here.client.close()
})

test('says what is missing: a token, a Rollcall, an address', async () => {
  await expect(start(['--url', server.url], {})).rejects.toThrow(
    'needs a token that may read numbers, as ROLLCALL_TOKEN',
  )
  await expect(start(['--url', 'http://127.0.0.1:1'], {})).rejects.toThrow('No Rollcall answers at http://127.0.0.1:1')
  const { code, err } = await runCliInside(['mcp', '--url', 'file:///etc/passwd'], {})
  expect([code, err]).toEqual([2, expect.stringContaining('--url must be a web address')])
})

test('answers what was asked before its input ended, prints nothing else, and ends well', async () => {
  const child = spawn(process.execPath, [...words, '--url', server.url], {
    cwd,
    env: childEnvironment({ ROLLCALL_TOKEN: token() }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const code = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.end(`not json\n${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`)
  const lines = (await text(child.stdout)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 7, result: { tools: expect.any(Array) } },
  ])
  expect(await code).toBe(0)
})
