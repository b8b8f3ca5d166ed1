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

/** Each line of a part, with at most one link. */
export function toLines(part: MailPart): { text: string; href: string | null }[] {
  if (part.kind === 'numbers')
    return part.numbers.map(({ name, value, of }) => ({ text: `${name}: ${value} (${of})`, href: null }))
  const lines: readonly MailLine[] = part.kind === 'list' ? part.lines : [part]
  return lines.map(({ text, note, href = null }) => ({ text: note ? `${text}: ${note}` : text, href }))
}

export function toText({ parts, go, foot }: Omit<MailContent, 'subject'>): string {
  const withHref = ({ text, href }: MailLine) => (href == null ? text : `${text}: ${href}`)
  return [
    ...parts.flatMap((part, index) => [...(index > 0 && isApart(part) ? [''] : []), ...print(part)]),
    ...(go === null ? [] : ['', withHref(go)]),
    ...(foot.length === 0 ? [] : ['', ...foot.map(withHref)]),
    '',
  ].join('\n')
}

/** Whether a blank line precedes it. */
const isApart = ({ kind }: MailPart) => kind !== 'list' && kind !== 'quiet' && kind !== 'warning'

function print(part: MailPart): string[] {
  const all = part.kind === 'list' ? part.all : undefined
  const isLinked = part.kind !== 'heading' && all === undefined
  const mark = part.kind === 'list' ? '- ' : ''
  return [
    ...toLines(part).flatMap(({ text, href }) => [`${mark}${text}`, isLinked && href && `  ${href}`]),
    all?.text && `  ${all.text}`,
    all?.href && `  ${all.href}`,
  ].filter((line) => typeof line === 'string' && line !== '') as string[]
}
