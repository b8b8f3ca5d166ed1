/** A command's output: progress and problems on stderr, results on stdout. */
import type { Writable } from 'node:stream'
import type { CommandResult, Progress } from '../runtime/control/command.ts'

export type Terminal = { out: Writable; err: Writable & { isTTY?: boolean } }

/** Whether the program that reads a pipe has ended. */
export function isReaderGone(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'EPIPE'
}

const plainIntervalMs = 5_000
const liveIntervalMs = 100

/** One changing line on a terminal. Elsewhere a line per step, and one every 5 s. */
export function createPrinter(
  { err }: Terminal,
  { quiet, now = Date.now }: { quiet: boolean; now?: () => number },
) {
  let step = ''
  let shownAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  return {
    report(progress: Progress): void {
      if (quiet) return
      const isNew = progress.step !== step
      const isEnd = progress.done !== undefined && progress.done === progress.total
      if (!isNew && !isEnd && now() - shownAt < (err.isTTY ? liveIntervalMs : plainIntervalMs)) return
      step = progress.step
      shownAt = now()
      if (err.isTTY) {
        err.write(`\r\u001b[K${toText(progress)}`)
        isOpen = true
      } else err.write(`${toText(progress)}\n`)
    },
    /** Ends the progress line, so that the next output starts on its own line. */
    endProgress(): void {
      if (isOpen) err.write('\n')
      isOpen = false
    },
  }
}

function toText({ step, done, total }: Progress): string {
  if (done === undefined) return `${step} ...`
  return total === undefined ? `${step}: ${done}` : `${step}: ${done} of ${total}`
}

export function printResult({ out }: Terminal, result: CommandResult, { json }: { json: boolean }): void {
  if (json) out.write(`${JSON.stringify({ outcome: result.outcome, ...result.data }, null, 2)}\n`)
  else out.write(result.lines.map((line) => `${line}\n`).join(''))
}

/** The content of `--json` for an error. */
export function printError({ out }: Terminal, message: string): void {
  out.write(`${JSON.stringify({ outcome: 'error', message }, null, 2)}\n`)
}
