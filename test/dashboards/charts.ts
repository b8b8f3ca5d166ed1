/** Draws charts for all dashboards of this process: loading ECharts for each takes as long as a test. */
import { openChartRenderer } from '../../dashboards/charts/render.ts'
import { giveUpAfterMs } from '../support/wait.ts'

/** Without one that is in time, a page shows the table alone. */
export const charts = openChartRenderer({ timeoutMs: giveUpAfterMs })
