/** Lets this machine's command line ask the running process: chDB allows one process per data directory. */
import { setTimeout as pause } from 'node:timers/promises'
import { createCommands } from '../cli/create-commands.ts'
import type { CommandDeps } from '../cli/command-deps.ts'
import { createControlApp } from '../runtime/control/control-app.ts'
import { makeControlToken, removeControlFile, writeControlFile } from '../runtime/control/control-file.ts'
import type { Logger } from '../runtime/logger.ts'

/** Longer than storing a pulled page. */
const pullSettleMs = 1_000

export function openControl(deps: Omit<CommandDeps, 'settle'>, logger: Logger) {
  const token = makeControlToken()
  const { dataDir } = deps.config
  async function settle(): Promise<void> {
    await deps.consumer.exclusively(() => Promise.resolve())
    await pause(pullSettleMs)
  }
  return {
    app: createControlApp({ token, commands: createCommands({ ...deps, settle }), logger }),
    /** Publishes the address in DATA_DIR, for its owner. */
    announce: (adminUrl: string) => writeControlFile(dataDir, { url: adminUrl, token, pid: process.pid }),
    close: () => removeControlFile(dataDir, token),
  }
}
