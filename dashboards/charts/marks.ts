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
