/** The dashboards as a process: `npm run dashboards`. Any number of them can run; they only read. */
import { readConfigOrExit } from '../services/config/config.ts'
import { runMain } from '../services/runtime/run-main.ts'
import { runDashboards } from './run-dashboards.ts'

await runMain(async () => {
  await runDashboards(readConfigOrExit('clickhouseUrl'))
})
