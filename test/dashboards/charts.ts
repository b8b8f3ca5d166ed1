/** Draws charts for all dashboards of this process: loading ECharts for each takes as long as a test. */
import { openChartRenderer } from '../../dashboards/charts/render.ts'

export const charts = openChartRenderer()
