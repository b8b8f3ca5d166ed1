/** The consumer as a process: `npm run consumer`. Up to as many as there are partitions share the work. */
import { readConfigOrExit } from '../config/config.ts'
import { runMain } from '../runtime/run-main.ts'
import { runConsumer } from './run-consumer.ts'

await runMain(async () => {
  await runConsumer(readConfigOrExit('kafkaBrokers', 'clickhouseUrl'))
})
