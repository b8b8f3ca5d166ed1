/** `rollcall <command>`: see `rollcall --help`. */
import { environment } from '../config/config.ts'
import { withoutEcho } from '../runtime/lifecycle.ts'
import { isReaderGone } from './print.ts'
import { runProgram } from './program.ts'

const stopping = new AbortController()
process.on(
  'SIGINT',
  withoutEcho(() => {
    // A second signal ends the process at once.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  }),
)

// The reader of a pipe may end first (`rollcall --help | head`). Drop the rest of the text.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!isReaderGone(error)) throw error
  })
}

await runProgram(process.argv.slice(2), {
  terminal: { out: process.stdout, err: process.stderr },
  env: environment(),
  signal: stopping.signal,
  setExitCode(code) {
    process.exitCode = code
  },
})
