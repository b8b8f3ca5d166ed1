/**
 * Runs in the page: words that stick out of it, are cut by their box, or lie on other words. axe does not look for this.
 * Plain JavaScript, because nothing else here may see the browser's types.
 */
function layoutFaults() {
  const layerOf = (element) => element.closest('.panel, [popover]')
  const known = new Map()
  /** Between which heights words of a place are seen: what scrolls shows a part of them. */
  const seenThrough = (element) => {
    if (element === null || element === document.body) return { top: -Infinity, bottom: Infinity }
    let seen = known.get(element)
    if (seen === undefined) {
      seen = seenThrough(element.parentElement)
      if (getComputedStyle(element).overflowY !== 'visible') {
        const { top, bottom } = element.getBoundingClientRect()
        seen = { top: Math.max(seen.top, top), bottom: Math.min(seen.bottom, bottom) }
      }
      known.set(element, seen)
    }
    return seen
  }
  const faults = []
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > width)
    faults.push(`the page scrolls sideways by ${document.documentElement.scrollWidth - width}`)
  // On a phone every list is whole; numbers behind a chart may scroll in their box.
  const isPhone = width >= 390 && width < 400
  for (const box of isPhone ? document.querySelectorAll('main .scroll:has(table)') : []) {
    const over = box.scrollWidth - box.clientWidth
    if (over > 1 && box.checkVisibility() && !box.querySelector('[data-plot-table]'))
      faults.push(`a table scrolls sideways by ${over}: ${box.textContent.trim().slice(0, 60)}`)
  }
  const boxes = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (
      element === null ||
      text === '' ||
      element.closest('.visually-hidden, .skip, dialog, [hidden]') ||
      !element.checkVisibility()
    )
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const scroller = element.closest('.scroll')
    const around = seenThrough(element)
    const style = getComputedStyle(element)
    // Words that end in an ellipsis are seen as far as their box.
    const clip = style.textOverflow === 'ellipsis' ? element.getBoundingClientRect() : undefined
    for (const whole of range.getClientRects()) {
      const left = Math.max(whole.left, clip?.left ?? whole.left)
      const right = Math.min(whole.right, clip?.right ?? whole.right)
      const top = Math.max(whole.top, around.top)
      const bottom = Math.min(whole.bottom, around.bottom)
      if (right - left < 1 || bottom - top < 1) continue
      boxes.push({ text, element, left, right, top, bottom })
      if (scroller === null && (left < -1 || right > width + 1)) faults.push(`outside the page: ${text}`)
    }
    if (
      style.overflowX === 'hidden' &&
      element.scrollWidth > element.clientWidth + 1 &&
      style.textOverflow !== 'ellipsis'
    )
      faults.push(`cut: ${text}`)
  }
  // From above to below, so that each is compared only with those that begin before it ends.
  boxes.sort((a, b) => a.top - b.top)
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
      const b = boxes[j]
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - b.top
      // Line boxes are taller than their letters: a third of a line is air.
      if (wide <= 1 || high <= Math.min(a.bottom - a.top, b.bottom - b.top) / 3) continue
      // An open menu lies over the page by design.
      if (a.element !== b.element && layerOf(a.element) === layerOf(b.element))
        faults.push(`overlap: “${a.text}” and “${b.text}”`)
    }
  })
  // What stands in a button stays in it.
  for (const button of document.querySelectorAll('button, .button, .pill, .tool')) {
    if (button.closest('[hidden]') || !button.checkVisibility()) continue
    const { left, right } = button.getBoundingClientRect()
    for (const part of button.children) {
      const box = part.getBoundingClientRect()
      if (
        box.width > 1 &&
        !part.matches('.visually-hidden') &&
        (box.left < left - 1 || box.right > right + 1)
      )
        faults.push(`sticks out of its button: ${button.textContent.trim()}`)
    }
  }
  // A head over another column than its own: as many columns are to be seen in the head as in every row. Cards have no head.
  const columnsSeen = (row) =>
    [...row.cells]
      .filter((cell) => cell.checkVisibility())
      .reduce((columns, cell) => columns + cell.colSpan, 0)
  for (const table of document.querySelectorAll('table')) {
    const head = table.tHead?.rows[0]
    if (head === undefined || !head.checkVisibility()) continue
    for (const row of table.querySelectorAll('tbody tr')) {
      if (row.cells.length > 1 && columnsSeen(row) !== columnsSeen(head)) {
        faults.push(
          `a row of ${columnsSeen(row)} columns under a head of ${columnsSeen(head)}: ${row.textContent.slice(0, 40)}`,
        )
      }
    }
  }
  // Words of a row that hang from its top stand on one line: a name, and the numbers beside it.
  const firstLine = (cell) => {
    for (const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT); walker.nextNode();) {
      const { currentNode: node } = walker
      const element = node.parentElement
      const isAlone = element === cell || (element.parentElement === cell && element.tagName === 'A')
      if (node.textContent.trim() === '') continue
      if (!isAlone || getComputedStyle(cell).verticalAlign !== 'top' || !element.checkVisibility())
        return null
      const range = document.createRange()
      range.selectNodeContents(node)
      return {
        text: node.textContent.trim(),
        size: getComputedStyle(element).fontSize,
        top: range.getClientRects()[0]?.top,
      }
    }
    return null
  }
  for (const row of document.querySelectorAll('tbody tr')) {
    // A card has lines of its own.
    if (getComputedStyle(row).display !== 'table-row') continue
    const [first, ...others] = [...row.cells].map(firstLine).filter((line) => line?.top !== undefined)
    for (const { text, size, top } of others) {
      if (size === first.size && Math.abs(top - first.top) > 1)
        faults.push(`${(top - first.top).toFixed(1)} px below “${first.text}”: “${text}”`)
    }
  }
  return faults
}
