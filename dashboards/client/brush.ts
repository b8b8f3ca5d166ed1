/**
 * A range of periods chosen on a chart: by dragging, or by Shift and the arrow keys, then Enter. The rows of the chart's table
 * have the links, one for each period; a range is the first one's start and the last one's end.
 */
import { announce, say } from './say.ts'
import { bandAt, forPlots } from './tooltips.ts'

export function startBrush(): void {
  forPlots('brush', attach)
}

function attach(plot: HTMLElement): void {
  const canvas = plot.querySelector<HTMLElement>('[data-canvas]')
  const links = [...(plot.closest('figure')?.querySelectorAll<HTMLAnchorElement>('a[data-period]') ?? [])]
  if (canvas === null || links.length < 2) return
  plot.dataset.brush = 'yes'
  plot.ariaLabel = `${plot.ariaLabel ?? ''} ${say('Shift and arrow keys choose a range, Enter shows only that.')}`
  const area = document.createElement('div')
  area.className = 'brush'
  area.hidden = true
  canvas.prepend(area)
  let from = -1
  let to = -1
  let isDragging = false

  const range = () => [Math.min(from, to), Math.max(from, to)] as const
  const clear = () => {
    from = to = -1
    isDragging = false
    area.hidden = true
  }
  const draw = () => {
    const [first, last] = range()
    area.hidden = false
    area.style.left = `${(first / links.length) * 100}%`
    area.style.width = `${((last - first + 1) / links.length) * 100}%`
  }
  const apply = () => {
    const [first, last] = range()
    const [start, end] = [links[first], links[last]]
    if (start === undefined || end === undefined) return
    const url = new URL(start.href)
    url.searchParams.set('assigned_to', new URL(end.href).searchParams.get('assigned_to') ?? '')
    // A whole page: the fields of the filter form get the new dates, too.
    location.assign(url)
  }
  const indexOf = (event: PointerEvent) => Math.max(0, Math.min(links.length - 1, bandAt(canvas, event, links.length)))
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    clear()
    isDragging = true
    from = to = indexOf(event)
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!isDragging || (to = indexOf(event)) === from) return
    // From here on it is a drag, also outside of the chart; a tap or a click shows values only.
    canvas.setPointerCapture(event.pointerId)
    draw()
  })
  canvas.addEventListener('pointerup', () => {
    if (isDragging && !area.hidden && to !== from) apply()
    else clear()
  })
  canvas.addEventListener('pointercancel', clear)
  plot.addEventListener('blur', clear)
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !area.hidden) {
      event.preventDefault()
      apply()
    } else if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      // The values of this period were shown and spoken just before.
      const at = Number(plot.dataset.at)
      const step = event.key === 'ArrowLeft' ? -1 : 1
      if (from === -1) from = Math.max(0, Math.min(links.length - 1, at - step))
      to = at
      draw()
      const [first, last] = range()
      announce(
        say('{from} to {to}: Enter shows only what was assigned then', {
          from: links[first]?.textContent ?? '',
          to: links[last]?.textContent ?? '',
        }),
      )
    } else if (event.key !== 'Shift') clear()
  })
}
