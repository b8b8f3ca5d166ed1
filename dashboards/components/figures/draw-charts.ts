import type { Chart } from '../../charts/chart.ts'
import type { RouteContext } from '../../dashboards-deps.ts'

export type DrawnChart = { chart: Chart; svg: string | null }

/** A chart that cannot be drawn affects its figure, not the page. */
export async function draw(chart: Chart, { charts, onError }: RouteContext): Promise<DrawnChart> {
  try {
    return { chart, svg: await charts.render(chart.option) }
  } catch (error) {
    onError(error)
    return { chart, svg: null }
  }
}
