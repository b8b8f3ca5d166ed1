/** Lets a running process run a command, and passes on its output. */
import { readLines } from '../http/read-body.ts'
import {
  CommandError,
  type CommandIo,
  type CommandResult,
  type ControlMessage,
  controlPath,
} from './command.ts'
import { readControlFile } from './control-file.ts'

const answerTimeoutMs = 5_000

/** The process that has `dataDir` open, or `undefined` if none runs. */
export async function findRunning(dataDir: string) {
  const control = readControlFile(dataDir)
  if (control === undefined) return undefined
  const headers = { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' }
  const base = `${control.url}${controlPath}/commands`
  // After a kill nothing listens there, or a program that does not know the token.
  const answer = await fetch(base, { headers, signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
    () => undefined,
  )
  if (answer === undefined || !answer.ok) return undefined
  await answer.body?.cancel()

  return {
    pid: control.pid,
    async run(name: string, args: unknown, io: CommandIo): Promise<CommandResult> {
      const response = await fetch(`${base}/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(args),
        signal: io.signal,
      })
      for await (const message of readMessages(response)) {
        if (message.type === 'progress') io.report(message.progress)
        else if (message.type === 'result') return message.result
        else throw new CommandError(message.code, message.message)
      }
      throw new CommandError(
        'failed',
        'Rollcall stopped before the command ended. Start it, and run the command again.',
      )
    },
  }
}

async function* readMessages({ body }: Response): AsyncGenerator<ControlMessage> {
  try {
    for await (const line of readLines(body)) yield JSON.parse(line) as ControlMessage
  } catch (cause) {
    throw new CommandError('failed', 'The connection to Rollcall broke during the command.', { cause })
  }
}
