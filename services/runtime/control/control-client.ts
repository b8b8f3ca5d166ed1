/** Asks a running process to run a command, and passes on its output. */
import { CommandError, type CommandIo, type CommandResult } from './command.ts'
import { readControlFile } from './control-file.ts'
import { controlPath, type ControlMessage } from './control-message.ts'

const answerTimeoutMs = 5_000

/** The process that has `dataDir` open, or `undefined` where none runs. */
export async function findRunning(dataDir: string) {
  const control = readControlFile(dataDir)
  if (control === undefined) return undefined
  const headers = { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' }
  const base = `${control.url}${controlPath}/commands`
  // The process was killed: nothing listens there now, or something that does not know the token.
  const answer = await fetch(base, { headers, signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => undefined)
  if (answer === undefined || !answer.ok) return undefined
  const { commands } = (await answer.json()) as { commands: string[] }

  return {
    pid: control.pid,
    commands,
    async run(name: string, args: unknown, io: CommandIo): Promise<CommandResult> {
      const response = await fetch(`${base}/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(args),
        signal: io.signal,
      })
      for await (const message of readLines(response)) {
        if (message.type === 'progress') io.report(message.progress)
        else if (message.type === 'bytes') await io.write(Buffer.from(message.base64, 'base64'))
        else if (message.type === 'result') return message.result
        else throw new CommandError(message.code, message.message)
      }
      throw new CommandError('failed', 'Rollcall stopped before the command had ended. Start it, and do this again.')
    },
  }
}

async function* readLines(response: Response): AsyncGenerator<ControlMessage> {
  const decoder = new TextDecoder()
  let rest = ''
  const chunks: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? []
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as ControlMessage
    }
  } catch (cause) {
    throw new CommandError('failed', 'Rollcall went away while it was doing this.', { cause })
  }
  if (rest !== '') yield JSON.parse(rest) as ControlMessage
}
