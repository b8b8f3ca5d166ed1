/** Whether the process may open enough files. It cannot load its own code otherwise, so it imports nothing of ours. */
import { readFileSync } from 'node:fs'

const fewest = 1_024

/** One sentence for the operator; `undefined`: enough, or not known on this machine. */
export function findOpenFilesProblem(): string | undefined {
  const most = Number(/^Max open files +(\d+)/m.exec(readLimits())?.[1] ?? fewest)
  if (most >= fewest) return undefined
  return `Rollcall may open ${most} files and needs ${fewest}: raise the limit (ulimit -n 4096, or LimitNOFILE of the service).`
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
