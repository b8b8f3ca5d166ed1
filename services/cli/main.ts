/** `rollcall <command>`: see `rollcall --help`. */
import { environment } from '../config/config.ts'
import { withoutEcho } from '../runtime/lifecycle.ts'
import { runProgram } from './program.ts'
import { isReaderGone } from './run-command.ts'

const stopping = new AbortController()
process.on(
  'SIGINT',
  withoutEcho(() => {
    // A second signal ends the process at once.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  }),
)

const { stdout: out, stderr: err } = process
// The reader of a pipe may end first (`rollcall --help | head`). Drop the rest of the text.
for (const stream of [out, err]) {
  stream.on('error', (error) => {
    if (!isReaderGone(error)) throw error
  })
}
const setExitCode = (code: number) => void (process.exitCode = code)
const context = { out, err, env: environment(), signal: stopping.signal, setExitCode }
await runProgram(process.argv.slice(2), context)
