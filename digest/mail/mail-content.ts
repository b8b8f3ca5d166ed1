/** A mail as data, printed as text here, as HTML in `mail-html.tsx`, and for a team channel in `channel.ts`. */

/** `href`: `null` if the reader may not open it. */
export type MailLine = { text: string; note?: string; href?: string | null }

export type MailPart =
  | ({ kind: 'title' | 'heading' | 'text' | 'quiet' | 'warning' } & MailLine)
  | { kind: 'numbers'; numbers: readonly { name: string; value: string; of: string }[] }
  | {
      kind: 'list'
      lines: readonly MailLine[]
      /** The page that has all lines. With it, the text does not print the links of single lines. */
      all?: MailLine
      /** A team channel shows it only if names are granted. */
      isNamed?: boolean
    }

export type MailContent = {
  subject: string
  parts: readonly MailPart[]
  /** The next step of the reader. */
  go: { text: string; href: string } | null
  /** Why the mail came, and how it ends. */
  foot: readonly MailLine[]
}

export function toText({ parts, go, foot }: Omit<MailContent, 'subject'>): string {
  const withHref = ({ text, href }: MailLine) => (href == null ? text : `${text}: ${href}`)
  return [
    ...parts.flatMap((part, index) => [...(index > 0 && isApart(part) ? [''] : []), ...toLines(part)]),
    ...(go === null ? [] : ['', withHref(go)]),
    ...(foot.length === 0 ? [] : ['', ...foot.map(withHref)]),
    '',
  ].join('\n')
}

/** Whether a blank line precedes it. */
const isApart = ({ kind }: MailPart) => kind !== 'list' && kind !== 'quiet' && kind !== 'warning'

function toLines(part: MailPart): string[] {
  const toLink = (href: string | null | undefined) => (href == null ? [] : [`  ${href}`])
  if (part.kind === 'numbers') return part.numbers.map(({ name, value, of }) => `${name}: ${value} (${of})`)
  if (part.kind !== 'list') return [part.text, ...(part.kind === 'heading' ? [] : toLink(part.href))]
  const { lines, all } = part
  return [
    ...lines.flatMap(({ text, note, href }) => [
      note === undefined ? `- ${text}` : `- ${text}: ${note}`,
      ...(all === undefined ? toLink(href) : []),
    ]),
    ...(all === undefined || all.text === '' ? [] : [`  ${all.text}`]),
    ...toLink(all?.href),
  ]
}
