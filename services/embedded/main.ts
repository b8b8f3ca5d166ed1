/** Rollcall on one machine: `npm start`. */
import { readConfigOrExit } from '../config/config.ts'
import { runMain } from '../runtime/run-main.ts'
import { runEmbedded } from './run-embedded.ts'
import { logAddresses, printAddresses } from './print-addresses.ts'

await runMain(async () => {
  const running = await runEmbedded(readConfigOrExit(), { sample: false })
  if (process.stderr.isTTY) printAddresses(running)
  else logAddresses(running)
})
