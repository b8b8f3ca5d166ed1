/** `rollcall <command>`: see `rollcall --help`. */
import { environment } from '../config/config.ts'
import { runProgram } from './program.ts'

const stopping = new AbortController()
process.on('SIGINT', () => {
  // A second signal ends the process at once.
  if (stopping.signal.aborted) process.exit(130)
  stopping.abort()
})

await runProgram(process.argv.slice(2), {
  terminal: { out: process.stdout, err: process.stderr },
  env: environment(),
  signal: stopping.signal,
  setExitCode(code) {
    process.exitCode = code
  },
})
