/** A statement's syntax tree from the engine's own parser: the lines of `EXPLAIN AST`. */

export type SyntaxNode = {
  /** `SelectQuery`, `Function`, `TableIdentifier` ... */
  kind: string
  /** Name of a function, table or column; empty for others. */
  name: string
  /** The name that the statement gives it; empty for most. */
  alias: string
  /** All that the line says behind the kind: of a literal, its whole text, which may hold what looks like an alias. */
  text: string
  parent: SyntaxNode | undefined
  children: SyntaxNode[]
}

/** Every node, parents before their children. */
export function parseSyntaxTree(lines: readonly string[]): SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  const path: SyntaxNode[] = []
  for (const line of lines) {
    const text = line.trimStart()
    if (text === '') continue
    const depth = line.length - text.length
    const kind = text.split(' ', 1)[0] ?? ''
    const rest = text.slice(kind.length + 1)
    const parent = path[depth - 1]
    const name = rest.replace(/ ?\((alias |children \d+\)).*$/s, '')
    const alias = / ?\(alias (.*?)\)(?: \(children \d+\))?$/s.exec(rest)?.[1] ?? ''
    const node: SyntaxNode = { kind, name, alias, text: rest, parent, children: [] }
    parent?.children.push(node)
    path.length = depth
    path.push(node)
    nodes.push(node)
  }
  return nodes
}
