/** Makes a page one to read only: no links but those within it, no forms, no scripts. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter as tree, html, parse, serialize } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

const removed: readonly string[] = ['form', 'script', 'noscript', 'dialog', 'nav', 'input', 'select', 'iframe']
/** Links that name an action, which nobody can do here. */
const controls: readonly string[] = ['csv', 'button', 'pill', 'clear', 'crumb', 'tool']
/** Filters in force are said in words instead. */
const blocks: readonly string[] = ['chips', 'steps']

/** `isOwn`: whether a link stays. Those within the page do. Whatever else a page links to becomes plain text. */
export function onlyToRead(page: string, isOwn: (href: string) => boolean): string {
  const document = parse(page, { scriptingEnabled: false })
  visit(document, (href) => href.startsWith('#') || isOwn(href))
  return serialize(document)
}

function visit(parent: Parent, isKept: (href: string) => boolean): void {
  for (const child of parent.childNodes.toReversed()) {
    if (!tree.isElementNode(child)) continue
    visit(child, isKept)
    const attribute = (name: string) => child.attrs.find((each) => each.name === name)?.value
    const classes = (attribute('class') ?? '').split(' ')
    const isHidden = attribute('hidden') !== undefined && classes.includes('needs-script')
    const isControl = child.tagName === 'button' && attribute('popovertarget') === undefined
    if (removed.includes(child.tagName) || blocks.includes(attribute('id') ?? '') || isHidden || isControl)
      tree.detachNode(child)
    else if (child.tagName === 'a' && !isKept(attribute('href') ?? '')) {
      if (classes.some((each) => controls.includes(each))) tree.detachNode(child)
      else unwrap(child)
    }
  }
}

/** A link becomes its text. */
function unwrap(link: Element): void {
  const plain = link.namespaceURI === html.NS.SVG ? 'g' : 'span'
  link.tagName = plain
  link.nodeName = plain
  link.attrs = link.attrs.filter(({ name }) => name === 'class')
}
