/**
 * Values of a chart by hover, tap and arrow keys. They come from the figure's table: one copy of the numbers, already in
 * the reader's format. One tab stop per chart.
 */
import { announce, say } from './say.ts'

/** For every plot once, also of parts that are loaded later. */
export function startTooltips(): void {
  const attachAll = () => {
    for (const plot of document.querySelectorAll<HTMLElement>('[data-plot]'))
      if (!plot.dataset['live']) attach(plot)
  }
  attachAll()
  document.addEventListener('rollcall:swapped', attachAll)
}

function attach(plot: HTMLElement): void {
  const canvas = plot.querySelector<HTMLElement>('[data-canvas]')
  const table = plot.closest('figure')?.querySelector<HTMLTableElement>('[data-plot-table]')
  const bands = Number(plot.dataset.bands)
  if (!canvas || !table || !(bands > 0)) return
  plot.dataset.live = 'yes'
  plot.tabIndex = 0
  plot.ariaLabel = `${plot.ariaLabel ?? ''} ${say('Arrow keys read the values.')}`
  const hidden = (className: string) =>
    Object.assign(document.createElement('div'), { className, hidden: true })
  const [tip, rule] = [hidden('tip'), hidden('tip-rule')]
  canvas.append(rule, tip)
  let at = -1

  const hide = () => {
    at = -1
    delete plot.dataset.at
    tip.hidden = rule.hidden = true
  }
  const show = (index: number, spoken: boolean) => {
    const next = Math.max(0, Math.min(bands - 1, index))
    if (next === at) return
    at = next
    plot.dataset.at = String(at)
    const lines = rowText(table, at)
    tip.replaceChildren(...lines.map(([name, value], i) => line(name, value, i === 0)))
    tip.hidden = rule.hidden = false
    const middle = ((at + 0.5) / bands) * 100
    rule.style.left = `${middle}%`
    const right = middle > 55
    tip.style.left = right ? 'auto' : `calc(${middle}% + 0.75rem)`
    tip.style.right = right ? `calc(${100 - middle}% + 0.75rem)` : 'auto'
    if (spoken) announce(lines.map((parts) => parts.filter(Boolean).join(': ')).join(', '))
  }
  for (const type of ['pointermove', 'pointerdown'] as const)
    canvas.addEventListener(type, (event) => show(bandAt(canvas, event, bands), false))
  canvas.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') hide()
  })
  plot.addEventListener('blur', hide)
  plot.addEventListener('keydown', (event) => {
    const start = at === -1 ? bands : at
    const target = { ArrowLeft: start - 1, ArrowRight: at === -1 ? 0 : at + 1, Home: 0, End: bands - 1 }[
      event.key
    ]
    if (target !== undefined) {
      event.preventDefault()
      show(target, true)
    } else if (event.key === 'Escape') hide()
  })
}

/** The band under the pointer: one of the chart, or the next beside it. */
function bandAt(canvas: HTMLElement, event: PointerEvent, bands: number): number {
  const box = canvas.getBoundingClientRect()
  return Math.floor(((event.clientX - box.left) / box.width) * bands)
}

/** The row's name, then every column with its value. */
function rowText(table: HTMLTableElement, index: number): [string, string][] {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent ?? '')
  const cells = [...(table.tBodies[0]?.rows[index]?.cells ?? [])].map((cell) => cell.textContent ?? '')
  return cells.map((value, i) => (i === 0 ? [value, ''] : [heads[i] ?? '', value]))
}

function line(name: string, value: string, isHead: boolean): HTMLElement {
  const row = document.createElement('div')
  row.append(name)
  if (isHead) row.className = 'tip-head'
  else row.append(Object.assign(document.createElement('b'), { textContent: value }))
  return row
}
