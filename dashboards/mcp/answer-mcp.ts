/** One message of an assistant, by the official SDK. The tools are in tools.ts. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { stringifyJson } from '../../schemas/json.ts'
import { version } from '../../services/runtime/version.ts'
import { tools, ToolError, type Answer, type Asker } from './tools.ts'

const instructions =
  'Rollcall counts challenge assignments of a learning platform. Ask “metrics” for all numbers, “explain” for one number and what it means, ' +
  '“rows” for the assignments behind it, “changes” for two moments, “health” for whether the data are complete, “sql” for anything else. ' +
  'With each number, give its moment (as_of), what is not counted (left_out) and the link (page).'

/** About 16,000 tokens. */
const maxAnswerBytes = 64 * 1024

export async function answerMcp(request: Request, message: unknown, asker: Asker): Promise<Response> {
  const server = new McpServer({ name: 'rollcall', title: 'Rollcall', version }, { instructions })
  for (const [name, { title, description, input, run }] of Object.entries(tools)) {
    const annotations = { title, readOnlyHint: true, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (args) => {
      try {
        const frame = { as_of: asker.now, complete_up_to: (await asker.standing()).complete_through }
        return { content: [{ type: 'text', text: toText({ ...frame, ...(await run(args, asker)) }) }] }
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true }
      }
    })
  }
  // Without a session generator: no sessions. An answer is one JSON body.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** As many rows as fit, and how many are missing. */
function toText({ list, ...answer }: Answer): string {
  if (list === undefined) return toBounded(answer)
  const rows: unknown[] = []
  let left = maxAnswerBytes - Buffer.byteLength(stringifyJson(answer)) - 1_000
  for (const row of list.rows) {
    left -= Buffer.byteLength(stringifyJson(row)) + 1
    if (left < 0) break
    rows.push(row)
  }
  const returned = rows.length
  const isCut = returned < list.rows.length
  const missing = list.total === null ? null : list.total - returned
  const notes = [
    missing === 0
      ? ''
      : `${missing ?? 'an unknown number'} of ${list.total ?? 'the'} rows are not in this answer`,
    isCut ? `more than ${returned} rows would be too large: ask for fewer rows or columns` : '',
  ]
  return toBounded({
    ...answer,
    total: list.total,
    returned,
    missing,
    next: isCut ? null : list.next,
    rows,
    left_out: [...answer.left_out, ...notes.filter(Boolean)],
  })
}

function toBounded(answer: object): string {
  const text = stringifyJson(answer)
  if (Buffer.byteLength(text) <= maxAnswerBytes) return text
  throw new ToolError('The answer would be too large: ask for one metric, fewer columns or a shorter trend.')
}
