/** What draws charts for all dashboards of this process: each test would load ECharts for its own, which takes as long as many a test. */
import { openChartRenderer } from '../../dashboards/charts/render.ts'

export const charts = openChartRenderer()
