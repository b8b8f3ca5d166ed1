/** One message of an assistant, by the official SDK. The tools are in tools.ts. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { stringifyJson } from '../../schemas/json.ts'
import { tools, ToolError, type Answer, type McpDeps, type Reach } from './tools.ts'

const instructions =
  'Rollcall counts challenge assignments of a learning platform. Ask “metrics” for all numbers, “explain” for one number and what it means, ' +
  '“rows” for the assignments behind it, “changes” for two moments, “health” for whether the data are complete, “sql” for anything else. ' +
  'With each number, give its moment (as_of), what is not counted (left_out) and the link (page).'

/** About 16,000 tokens. */
const maxAnswerBytes = 64 * 1024

export async function answerMcp(
  request: Request,
  message: unknown,
  deps: McpDeps & Reach,
): Promise<Response> {
  const server = new McpServer(
    { name: 'rollcall', title: 'Rollcall', version: deps.version },
    { instructions },
  )
  for (const [name, { title, description, input, run }] of Object.entries(tools)) {
    const annotations = { title, readOnlyHint: true, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (args) => {
      try {
        return { content: [{ type: 'text', text: toText(await run(args, deps)) }] }
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

/** Leaves out rows from the end until the answer fits, and says how many. */
function toText({ list, ...answer }: Answer): string {
  const rows = list?.rows ?? []
  for (let returned = rows.length; ; returned = Math.floor(returned / 2)) {
    const isCut = returned < rows.length
    const missing = (list?.total ?? 0) - returned
    const text = stringifyJson({
      ...answer,
      ...(list && {
        total: list.total,
        returned,
        missing,
        next: isCut ? null : list.next,
        rows: rows.slice(0, returned),
      }),
      left_out: [
        ...answer.left_out,
        ...(missing > 0 ? [`${missing} of ${list?.total} rows are not in this answer`] : []),
        ...(returned === 0 && isCut
          ? ['a single row would be too large: ask for fewer columns, or for a part of a text']
          : isCut
            ? [`more than ${returned} rows would be too large: ask with limit ${returned}`]
            : []),
      ],
    })
    if (Buffer.byteLength(text) <= maxAnswerBytes) return text
    if (returned === 0)
      throw new ToolError(
        'The answer would be too large: ask for one metric, fewer columns or a shorter trend.',
      )
  }
}
