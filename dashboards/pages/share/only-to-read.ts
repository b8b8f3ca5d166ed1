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
    const isRefused = (node: DefaultTreeAdapterTypes.ChildNode) =>
      tree.isElementNode(node) && node.tagName === 'a' && !isKept(attributeOf(node, 'href') ?? '')
    // A way on to more of a list, with no other words.
    const isNoWay = attributeOf(child, 'class') === 'more' && child.childNodes.every(isRefused)
    visit(child, isKept)
    const classes = (attributeOf(child, 'class') ?? '').split(' ')
    const isHidden = attributeOf(child, 'hidden') !== undefined && classes.includes('needs-script')
    const isControl = child.tagName === 'button' && attributeOf(child, 'popovertarget') === undefined
    const isBlock = blocks.includes(attributeOf(child, 'id') ?? '')
    if (removed.includes(child.tagName) || isBlock || isHidden || isControl || isNoWay) tree.detachNode(child)
    else if (isRefused(child)) {
      if (classes.some((each) => controls.includes(each))) tree.detachNode(child)
      else unwrap(child)
    }
  }
}

const attributeOf = (element: Element, name: string) => element.attrs.find((each) => each.name === name)?.value

/** A link becomes its text. */
function unwrap(link: Element): void {
  const plain = link.namespaceURI === html.NS.SVG ? 'g' : 'span'
  link.tagName = plain
  link.nodeName = plain
  link.attrs = link.attrs.filter(({ name }) => name === 'class')
}
