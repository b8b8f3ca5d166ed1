/** Ingest as a process: `npm run ingest`. Any number of them, each with its own DATA_DIR. */
import { readConfigOrExit } from '../config/config.ts'
import { runMain } from '../runtime/run-main.ts'
import { runIngest } from './run-ingest.ts'

await runMain(async () => {
  await runIngest(readConfigOrExit('kafkaBrokers', 'ingestTokens'))
})
