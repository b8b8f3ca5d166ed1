/** Draws charts off the main thread, which stores rows: one message in, one message out. */
import { parentPort } from 'node:worker_threads'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartOption } from './chart.ts'

export type RenderRequest = { id: number; option: ChartOption; width: number; height: number }
export type RenderReply = { id: number } & ({ ok: true; svg: string } | { ok: false; reason: string })

use([LineChart, BarChart, GridComponent, SVGRenderer])

parentPort?.on('message', ({ id, option, width, height }: RenderRequest) => {
  const reply = (message: RenderReply) => parentPort?.postMessage(message)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(option)
    reply({ id, ok: true, svg: toMarks(chart.renderToSVGString()) })
  } catch (error) {
    reply({ id, ok: false, reason: String(error) })
  } finally {
    chart.dispose()
  }
})

/**
 * Turns ECharts' SVG into one that a strict page accepts: no style sheet, no inline style, no ids (two drawings on one
 * page would share them), nothing for pointer or screen reader, and a width that follows the page.
 */
export function toMarks(svg: string): string {
  return svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<defs\s*>[\s\S]*?<\/defs>/g, '')
    .replace(
      / (?:clip-path|class|id|style|pointer-events|ecmeta_\w+|version|baseProfile|xmlns(?::xlink)?)="[^"]*"/g,
      '',
    )
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>\n?/g, '')
    .replace(
      /<svg width="\d+" height="\d+"/,
      '<svg class="marks" preserveAspectRatio="none" aria-hidden="true" focusable="false"',
    )
    .replace(/\n+/g, '')
}
