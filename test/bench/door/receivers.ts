/** The receivers of the bench: servers of ours, each in a process of its own, and any receiver that already runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const serversFile = fileURLToPath(new URL('./servers.ts', import.meta.url))
/** Linux counts processor time in these. */
const ticksPerSecond = 100

export type Receiver = {
  name: string
  url: string
  /** Processor time of its process so far, in seconds; `undefined` where that cannot be read. */
  cpuSeconds(): number | undefined
  close(): Promise<void>
}

/** `name` of one of our servers, or `name=URL` of another receiver, or `name=URL@pid` to have its processor time, too. */
export async function openReceiver(text: string): Promise<Receiver> {
  const [, name, url, pid] = /^([^=]+)=(.+?)(?:@(\d+))?$/.exec(text) ?? []
  if (name !== undefined && url !== undefined) {
    return { name, url, cpuSeconds: () => readCpuSeconds(Number(pid)), close: () => Promise.resolve() }
  }
  const server = spawn(process.execPath, [serversFile, text], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'close')
  const address = await Promise.race([once(server.stdout, 'data'), ended])
  if (server.exitCode !== null) throw new Error(`The server ${text} does not start.`)
  return {
    name: text,
    url: String(address[0]).trim(),
    cpuSeconds: () => readCpuSeconds(server.pid as number),
    async close() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** Processor time so far of a process, or `PID/task/TID` of one of its threads; `undefined`: there is none, or it cannot be read. */
export function readCpuSeconds(pid: number | string): number | undefined {
  try {
    // After the name, which may have spaces: utime and stime are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
