/** The dashboards as a process of their own: `npm run dashboards`. Any number of them; they only read. */
import { readConfigOrExit } from '../services/config/config.ts'
import { runMain } from '../services/runtime/run-main.ts'
import { runDashboards } from './run-dashboards.ts'

await runMain(async () => {
  await runDashboards(readConfigOrExit('clickhouseUrl'))
})
