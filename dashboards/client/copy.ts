/**
 * Copies a chart with its words: as SVG text, as a picture, or as a link to it. The page draws words as HTML around the marks; here
 * they become text of one drawing with the colours that the reader sees. Where the clipboard is not available (plain http), it is a file.
 */
import { say, sayOn } from './say.ts'

const size = { width: 1000, height: 420 }
const plot = { left: 60, top: 84, width: 760, height: 260 }

/** The address of the page for later and for others: without the moment of a number that led here. */
function pageLink(): URL {
  const link = document.querySelector<HTMLElement>('[data-copy-link]')?.dataset['copyLink']
  return new URL(link ?? location.href, location.href)
}

export function startCopyLink(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy-link]')
    if (button === null) return
    const text = new Blob([pageLink().href], { type: 'text/plain' })
    void put(text, 'link.txt', 'Link').then((words) => sayOn(button, words))
  })
}

export function startCopyChart(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy-chart]')
    const figure = button?.closest<HTMLElement>('figure')
    if (!button || !figure) return
    const copied = copy(figure, button.dataset['copyChart']).catch(() => say('This could not be copied'))
    void copied.then((words) => sayOn(button, words))
  })
}

async function copy(figure: HTMLElement, kind: string | undefined): Promise<string> {
  const link = pageLink()
  link.hash = figure.id
  if (kind === 'link') return put(new Blob([link.href], { type: 'text/plain' }), `${figure.id}.txt`, 'Link')
  // Folded content has no place on the page.
  const folded = [...figure.querySelectorAll<HTMLDetailsElement>('details.fold:not([open])')]
  for (const fold of folded) fold.open = true
  const svg = toSvg(figure, link.href)
  for (const fold of folded) fold.open = false
  const drawing = new Blob([svg], { type: 'image/svg+xml' })
  return put(await toPng(drawing), `${figure.id}.png`, 'Picture')
}

/** Into the clipboard, else into a file. The answer says which. */
async function put(blob: Blob, file: string, what: string): Promise<string> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })])
    return say('{what} copied', { what: say(what) })
  } catch {
    const url = URL.createObjectURL(blob)
    const a = document.createElement('a')
    a.href = url
    a.download = file
    a.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    return say('{what} saved as {file}', { what: say(what), file })
  }
}

async function toPng(drawing: Blob): Promise<Blob> {
  const url = URL.createObjectURL(drawing)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = size.width * 2
    canvas.height = size.height * 2
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

function toSvg(figure: HTMLElement, link: string): string {
  const style = getComputedStyle(figure)
  const [ink, quiet] = [style.color, getComputedStyle(figure.querySelector('.finding') ?? figure).color]
  const parts: string[] = []
  const text = (x: number, y: number, words: string, more = '') =>
    parts.push(`<text x="${x}" y="${y}" ${more}>${escape(words)}</text>`)
  text(
    20,
    34,
    figure.querySelector('h2')?.textContent ?? '',
    `font-size="20" font-weight="600" fill="${ink}"`,
  )
  // A drawing breaks no lines by itself; so many letters are as wide as it.
  const lines = figure.querySelector('.finding')?.textContent?.match(/\S.{0,129}(?=\s|$)/g) ?? []
  lines.forEach((line, at) => text(20, 56 + 18 * at, line, `font-size="13" fill="${quiet}"`))

  const canvas = figure.querySelector<HTMLElement>('[data-canvas]')
  const box = canvas?.getBoundingClientRect()
  if (canvas && box) {
    const x = (at: number) => Math.round(plot.left + ((at - box.left) / box.width) * plot.width)
    const y = (at: number) => Math.round(plot.top + ((at - box.top) / box.height) * plot.height)
    const marks = canvas.querySelector<SVGElement>('svg.marks')
    const view = marks?.getAttribute('viewBox') ?? '0 0 1000 240'
    parts.push(
      `<svg x="${plot.left}" y="${plot.top}" width="${plot.width}" height="${plot.height}" viewBox="${view}" preserveAspectRatio="none">${resolve(marks?.innerHTML ?? '', style)}</svg>`,
    )
    const words = figure.querySelectorAll<HTMLElement>(
      '.y-axis span, .x-axis span, .end-labels > span, .median > span',
    )
    for (const word of words) {
      if (!word.checkVisibility()) continue
      const at = word.getBoundingClientRect()
      const anchor = word.closest('.y-axis') ? 'end' : word.closest('.x-axis') ? 'middle' : 'start'
      const x0 =
        anchor === 'end' ? plot.left - 8 : anchor === 'middle' ? x((at.left + at.right) / 2) : x(at.left)
      const down = word.closest('.x-axis') ? plot.top + plot.height + 20 : y((at.top + at.bottom) / 2) + 4
      const colour = getComputedStyle(word).color
      text(
        x0,
        down,
        word.textContent?.trim() ?? '',
        `font-size="12" fill="${colour}" text-anchor="${anchor}"`,
      )
    }
    let left = 20
    for (const item of figure.querySelectorAll<HTMLElement>('.legend li')) {
      const swatch = item.querySelector('.swatch')
      const colour = swatch ? getComputedStyle(swatch).backgroundColor : quiet
      parts.push(`<rect x="${left}" y="378" width="11" height="11" rx="2" fill="${colour}"/>`)
      text(left + 17, 388, item.textContent?.trim() ?? '', `font-size="12" fill="${quiet}"`)
      left += 40 + 7 * (item.textContent?.trim().length ?? 0)
    }
  }
  const sample = document.querySelector('.sample-banner') === null ? '' : `${say('Sample data')}. `
  const stamp = document.querySelector('.stamp time')?.textContent ?? ''
  text(
    20,
    size.height - 10,
    `${sample}${say('Rollcall, as of {moment}.', { moment: stamp })} ${link}`,
    `font-size="11" fill="${quiet}"`,
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="Inter, Helvetica, Arial, sans-serif">` +
    `<rect width="100%" height="100%" fill="${style.backgroundColor}"/>${parts.join('')}</svg>`
  )
}

/** Custom properties mean nothing outside of the page: the colours themselves. */
function resolve(marks: string, style: CSSStyleDeclaration): string {
  const probe = document.createElement('span')
  document.body.append(probe)
  const colours = new Map<string, string>()
  const resolved = marks.replace(/var\((--[\w-]+)\)/g, (whole, name: string) => {
    let colour = colours.get(name)
    if (colour === undefined) {
      probe.style.color = whole
      colours.set(name, (colour = getComputedStyle(probe).color || style.color))
    }
    return colour
  })
  probe.remove()
  // Strokes keep their width although the drawing stretches.
  return resolved.replaceAll('<path ', '<path vector-effect="non-scaling-stroke" ')
}

/** XML has no control characters, not even escaped. */
function escape(text: string): string {
  return text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Copies the text of the element that the button names; selects it where the clipboard is not available (plain http). */
export function startCopy(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]')
    const source = document.getElementById(button?.dataset.copy ?? '')
    if (button !== null && source !== null) void copyText(button, source)
  })
}

async function copyText(button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    sayOn(button, say('Copied'))
  } catch {
    // Nothing can be selected in what is closed.
    source.closest('details')?.setAttribute('open', '')
    getSelection()?.selectAllChildren(source)
    sayOn(button, say('Selected'), say('Selected: copy it with the keyboard'))
  }
}
