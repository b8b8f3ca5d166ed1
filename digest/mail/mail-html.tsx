/**
 * Prints a mail as HTML. Mail programs know neither our style sheet nor scripts: colours are inline, those for a dark
 * ground are in one rule that programs without it ignore, and nothing is loaded from anywhere.
 */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { currentReading } from '../../language/language.ts'
import { toText, type MailContent, type MailLine, type MailPart } from './mail-content.ts'

/** As `styles/tokens.css`. */
const light = {
  ground: '#f7f7f5',
  surface: '#ffffff',
  line: '#e4e4df',
  ink: '#17191c',
  quiet: '#4b5158',
  accent: '#0b5c94',
  bad: '#a33e02',
}
const dark: Record<keyof typeof light, string> = {
  ground: '#131517',
  surface: '#1b1e21',
  line: '#2e3338',
  ink: '#eceef0',
  quiet: '#b3bac1',
  accent: '#7cc0ee',
  bad: '#f49a5a',
}

const rules = `
@media (prefers-color-scheme: dark) {
  .ground { background: ${dark.ground} !important; }
  .surface { background: ${dark.surface} !important; border-color: ${dark.line} !important; }
  .line { border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .link { color: ${dark.accent} !important; }
  .bad { color: ${dark.bad} !important; }
  .go { background: ${dark.accent} !important; color: #0d1a24 !important; }
}
`

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const styles = {
  text: `margin: 0; ${font}; font-size: 15px; line-height: 1.5; color: ${light.ink}`,
  quiet: `margin: 0 0 4px; ${font}; font-size: 13px; line-height: 1.5; color: ${light.quiet}`,
  title: `margin: 0 0 4px; ${font}; font-size: 22px; line-height: 1.3; font-weight: 600; color: ${light.ink}`,
  heading: `margin: 28px 0 8px; ${font}; font-size: 16px; line-height: 1.4; font-weight: 600; color: ${light.ink}`,
  number: `margin: 0; ${font}; font-size: 28px; line-height: 1.2; font-weight: 600; color: ${light.ink}`,
  link: `color: ${light.accent}; text-decoration: underline`,
  bad: `color: ${light.bad}`,
  cell: `padding: 4px 12px 4px 0; border-bottom: 1px solid ${light.line}; vertical-align: top`,
  go: `display: inline-block; padding: 10px 16px; border-radius: 6px; background: ${light.accent}; color: #ffffff; ${font}; font-size: 15px; text-decoration: none`,
}

/** Subject and both parts, in the language that is read. */
export async function printMail(content: MailContent) {
  return { subject: content.subject, text: toText(content), html: await toHtml(content) }
}

async function toHtml({ subject, parts, go, foot }: MailContent): Promise<string> {
  const table = { role: 'presentation', width: '100%', cellpadding: '0', cellspacing: '0' } as const
  const surface = `padding: 28px 24px; background: ${light.surface}; border: 1px solid ${light.line}; border-radius: 8px; text-align: left`
  const page = (
    <>
      {raw('<!doctype html>')}
      <html lang={currentReading().language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>{subject}</title>
          <style>{raw(rules)}</style>
        </head>
        <body class="ground" style={`margin: 0; padding: 0; background: ${light.ground}`}>
          <table {...table} class="ground" style={`background: ${light.ground}`}>
            <tr>
              <td align="center" style="padding: 24px 12px">
                <table {...table} style="max-width: 600px">
                  <tr>
                    <td class="surface" style={surface}>
                      <div role="main">
                        {parts.map((part) => (
                          <Part part={part} />
                        ))}
                        {go === null ? null : (
                          <p style="margin: 28px 0">
                            <a class="go" style={styles.go} href={go.href}>
                              {go.text}
                            </a>
                          </p>
                        )}
                        <Quiet more="padding-top: 12px">
                          {foot.map((line) => (
                            <>
                              <Link line={line} />{' '}
                            </>
                          ))}
                        </Quiet>
                      </div>
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </body>
      </html>
    </>
  )
  return (await page).toString()
}

const looks = {
  title: { Tag: 'h1', look: 'ink', style: styles.title },
  heading: { Tag: 'h2', look: 'ink', style: styles.heading },
  text: { Tag: 'p', look: 'ink', style: `${styles.text}; margin: 8px 0` },
  quiet: { Tag: 'p', look: 'quiet', style: styles.quiet },
  warning: { Tag: 'p', look: 'bad', style: `${styles.quiet}; ${styles.bad}` },
} as const

function Part({ part }: { part: MailPart }) {
  if (part.kind === 'numbers') return <Numbers numbers={part.numbers} />
  if (part.kind === 'list') return <List lines={part.lines} all={part.all} />
  const { Tag, look, style } = looks[part.kind]
  return (
    <Tag class={look} style={style}>
      <Link line={part.kind === 'heading' ? { text: part.text } : part} />
    </Tag>
  )
}

function Numbers({ numbers }: { numbers: readonly { name: string; value: string; of: string }[] }) {
  return (
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 20px 0 12px">
      <tr>
        {numbers.map(({ name, value, of }) => (
          <td style="padding: 0 20px 0 0; vertical-align: top">
            <Quiet>{name}</Quiet>
            <p class="ink" style={styles.number}>
              {value}
            </p>
            <Quiet>{of}</Quiet>
          </td>
        ))}
      </tr>
    </table>
  )
}

function List({ lines, all }: { lines: readonly MailLine[]; all?: MailLine | undefined }) {
  if (lines.length === 0) return null
  return (
    <>
      <table width="100%" cellpadding="0" cellspacing="0" style="border-collapse: collapse">
        {lines.map((line) => (
          <tr>
            <td class="line" style={styles.cell}>
              <Text>
                <Link line={line} />
              </Text>
              {line.note === undefined ? null : <Quiet>{line.note}</Quiet>}
            </td>
          </tr>
        ))}
      </table>
      {all === undefined || all.text === '' ? null : (
        <Text more="margin-top: 8px">
          <Link line={all} />
        </Text>
      )}
    </>
  )
}

function Text({ more = '', children }: { more?: string; children?: Child }) {
  return (
    <p class="ink" style={`${styles.text}; ${more}`}>
      {children}
    </p>
  )
}

function Quiet({ more = '', children }: { more?: string; children?: Child }) {
  return (
    <p class="quiet" style={`${styles.quiet}; ${more}`}>
      {children}
    </p>
  )
}

function Link({ line: { text, href } }: { line: MailLine }) {
  if (href == null) return <>{text}</>
  return (
    <a class="link" style={styles.link} href={href}>
      {text}
    </a>
  )
}
