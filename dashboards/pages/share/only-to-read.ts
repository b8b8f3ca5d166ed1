/** Makes a page one to read only: no links but those within it, no forms, no scripts. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter as tree, html, parse, serialize } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode
type Node = DefaultTreeAdapterTypes.ChildNode

const removed: ReadonlySet<string> = new Set([
  'form',
  'script',
  'noscript',
  'dialog',
  'nav',
  'input',
  'select',
  'iframe',
])
/** Links that name what they do, which nobody can do here. */
const controls: readonly string[] = ['csv', 'button', 'pill', 'clear', 'crumb', 'tool']
/** Filters in force are said in words instead. */
const blocks: readonly string[] = ['chips', 'steps']

/** `isOwn`: whether a link stays. Those within the page do. Whatever else a page links to becomes plain text. */
export function onlyToRead(page: string, isOwn: (href: string) => boolean): string {
  const document = parse(page, { scriptingEnabled: false })
  visit(document, isOwn)
  return serialize(document)
}

function visit(parent: Parent, isOwn: (href: string) => boolean): void {
  for (const child of parent.childNodes.toReversed()) {
    if (!tree.isElementNode(child)) continue
    visit(child, isOwn)
    const attribute = (name: string) => child.attrs.find((each) => each.name === name)?.value
    const classes = (attribute('class') ?? '').split(' ')
    const isHidden = attribute('hidden') !== undefined && classes.includes('needs-script')
    const isControl = child.tagName === 'button' && attribute('popovertarget') === undefined
    if (removed.has(child.tagName) || blocks.includes(attribute('id') ?? '') || isHidden || isControl) remove(child)
    else if (child.tagName === 'a' && !isKept(attribute('href') ?? '', isOwn)) {
      if (classes.some((each) => controls.includes(each))) remove(child)
      else unwrap(child)
    }
  }
}

function isKept(href: string, isOwn: (href: string) => boolean): boolean {
  return href.startsWith('#') || isOwn(href)
}

function remove(node: Node): void {
  tree.detachNode(node)
}

/** A link becomes what it says. */
function unwrap(link: Element): void {
  const plain = link.namespaceURI === html.NS.SVG ? 'g' : 'span'
  link.tagName = plain
  link.nodeName = plain
  link.attrs = link.attrs.filter(({ name }) => name === 'class')
}
