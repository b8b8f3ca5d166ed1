/**
 * Runs in the page, after a key was pressed: what takes the focus and does not show it, or is not seen at all then. Plain
 * JavaScript, because nothing else here may see the browser's types.
 */
function focusFaults() {
  const faults = []
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  for (const element of document.querySelectorAll(selector)) {
    if (
      element.disabled ||
      element.type === 'hidden' ||
      !element.checkVisibility({ checkVisibilityCSS: true })
    )
      continue
    element.focus()
    if (document.activeElement !== element) continue
    const name = `${element.tagName.toLowerCase()} “${(element.textContent || element.name || element.className).trim().slice(0, 40)}”`
    // A switch hides its own box: the label around it shows the focus.
    const shown = [element, element.closest('label')].filter((each) => each !== null)
    const isShown = shown.some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
    })
    if (!isShown) faults.push(`focus not shown: ${name}`)
    const box = (element.closest('label') ?? element).getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || box.right < 1 || box.bottom < 0 || box.top > innerHeight)
      faults.push(`focus out of sight: ${name}`)
  }
  return faults
}
