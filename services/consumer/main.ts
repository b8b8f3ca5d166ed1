/** The consumer as a process of its own: `npm run consumer`. As many as there are partitions can share the work. */
import { readConfigOrExit } from '../config/config.ts'
import { runMain } from '../runtime/run-main.ts'
import { runConsumer } from './run-consumer.ts'

await runMain(async () => {
  await runConsumer(readConfigOrExit('kafkaBrokers', 'clickhouseUrl'))
})
