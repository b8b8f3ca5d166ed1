/** The words of a page: of its tables and headlines, without those that only a screen reader says. An id is that of an element or of the heading of a section. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter as tree, parse } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

export type Screen = {
  /** The lines of the first table within the element of this id, cell by cell; no heads, and no lines of one cell. */
  table(id: string): string[][]
  /** The text of the first element with this class within the element of this id; `undefined`: there is none. */
  text(id: string, className: string): string | undefined
}

export function readScreen(html: string): Screen {
  const page = parse(html)
  const byId = (id: string): Parent => {
    const found =
      all(page).find(
        (element) => element.tagName === 'section' && attribute(element, 'aria-labelledby') === id,
      ) ?? all(page).find((element) => attribute(element, 'id') === id)
    if (found === undefined) throw new Error(`nothing on the page has the id ${id}`)
    return found
  }
  return {
    table(id) {
      const [table] = all(byId(id)).filter(({ tagName }) => tagName === 'table')
      if (table === undefined) return []
      return all(table)
        .filter(({ tagName }) => tagName === 'tr')
        .filter((row) => (row.parentNode as Element | null)?.tagName === 'tbody')
        .map((row) => row.childNodes.filter(tree.isElementNode).map(toText))
        .filter((cells) => cells.length > 1)
    },
    text(id, className) {
      const found = all(byId(id)).find((element) => classes(element).includes(className))
      return found === undefined ? undefined : toText(found)
    },
  }
}

function all(parent: Parent): Element[] {
  return parent.childNodes.filter(tree.isElementNode).flatMap((element) => [element, ...all(element)])
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value
}

function classes(element: Element): string[] {
  return (attribute(element, 'class') ?? '').split(' ')
}

function toText(parent: Parent): string {
  return parent.childNodes
    .map((node) => {
      if (tree.isTextNode(node)) return node.value
      return tree.isElementNode(node) && !classes(node).includes('visually-hidden') ? toText(node) : ''
    })
    .join('')
    .trim()
}
