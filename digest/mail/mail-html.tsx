/**
 * Prints a mail as HTML. Mail programs know neither our style sheet nor scripts: colours are inline, those for a dark
 * ground are in one rule that programs without it ignore, and nothing is loaded from anywhere.
 */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { currentReading } from '../../language/language.ts'
import { toText, type MailContent, type MailLine, type MailPart } from './mail-content.ts'

/** On a light and on a dark ground, as `styles/tokens.css`. */
const colours = {
  ground: ['#f7f7f5', '#131517'],
  surface: ['#ffffff', '#1b1e21'],
  line: ['#e4e4df', '#2e3338'],
  ink: ['#17191c', '#eceef0'],
  quiet: ['#4b5158', '#b3bac1'],
  accent: ['#0b5c94', '#7cc0ee'],
  bad: ['#a33e02', '#f49a5a'],
  onAccent: ['#ffffff', '#0d1a24'],
} as const
const light = (colour: keyof typeof colours) => colours[colour][0]

/** Class, property, and its colour on a dark ground. */
const darkRules = (
  [
    ['ground', 'background', 'ground'],
    ['surface', 'background', 'surface'],
    ['surface', 'border-color', 'line'],
    ['line', 'border-color', 'line'],
    ['ink', 'color', 'ink'],
    ['quiet', 'color', 'quiet'],
    ['bad', 'color', 'bad'],
    ['link', 'color', 'accent'],
    ['go', 'background', 'accent'],
    ['go', 'color', 'onAccent'],
  ] as const
).map(([name, property, colour]) => `  .${name} { ${property}: ${colours[colour][1]} !important; }`)

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const fine = 'margin: 0 0 4px; font-size: 13px; line-height: 1.5'
const looks = {
  title: {
    Tag: 'h1',
    ink: 'ink',
    style: 'margin: 0 0 4px; font-size: 22px; line-height: 1.3; font-weight: 600',
  },
  heading: {
    Tag: 'h2',
    ink: 'ink',
    style: 'margin: 28px 0 8px; font-size: 16px; line-height: 1.4; font-weight: 600',
  },
  text: { Tag: 'p', ink: 'ink', style: 'margin: 8px 0; font-size: 15px; line-height: 1.5' },
  item: { Tag: 'p', ink: 'ink', style: 'margin: 0; font-size: 15px; line-height: 1.5' },
  all: { Tag: 'p', ink: 'ink', style: 'margin: 8px 0 0; font-size: 15px; line-height: 1.5' },
  number: { Tag: 'p', ink: 'ink', style: 'margin: 0; font-size: 28px; line-height: 1.2; font-weight: 600' },
  quiet: { Tag: 'p', ink: 'quiet', style: fine },
  warning: { Tag: 'p', ink: 'bad', style: fine },
  foot: { Tag: 'p', ink: 'quiet', style: `${fine}; padding-top: 12px` },
} as const

/** A paragraph. */
function P({ look, children }: { look: keyof typeof looks; children?: Child }) {
  const { Tag, ink, style } = looks[look]
  return (
    <Tag class={ink} style={`${style}; ${font}; color: ${light(ink)}`}>
      {children}
    </Tag>
  )
}

function Link({ text, href }: MailLine) {
  if (href == null) return <>{text}</>
  return (
    <a class="link" style={`color: ${light('accent')}; text-decoration: underline`} href={href}>
      {text}
    </a>
  )
}

const layout = { role: 'presentation', cellpadding: '0', cellspacing: '0' } as const
const wide = { ...layout, width: '100%' }

function Part({ part }: { part: MailPart }) {
  if (part.kind === 'numbers')
    return (
      <table {...layout} style="margin: 20px 0 12px">
        <tr>
          {part.numbers.map(({ name, value, of }) => (
            <td style="padding: 0 20px 0 0; vertical-align: top">
              <P look="quiet">{name}</P>
              <P look="number">{value}</P>
              <P look="quiet">{of}</P>
            </td>
          ))}
        </tr>
      </table>
    )
  if (part.kind !== 'list')
    return <P look={part.kind}>{part.kind === 'heading' ? part.text : <Link {...part} />}</P>
  const { lines, all } = part
  if (lines.length === 0) return null
  const cell = `padding: 4px 12px 4px 0; border-bottom: 1px solid ${light('line')}; vertical-align: top`
  return (
    <>
      <table width="100%" cellpadding="0" cellspacing="0" style="border-collapse: collapse">
        {lines.map((line) => (
          <tr>
            <td class="line" style={cell}>
              <P look="item">
                <Link {...line} />
              </P>
              {line.note === undefined ? null : <P look="quiet">{line.note}</P>}
            </td>
          </tr>
        ))}
      </table>
      {all === undefined || all.text === '' ? null : (
        <P look="all">
          <Link {...all} />
        </P>
      )}
    </>
  )
}

function Mail({ subject, parts, go, foot }: MailContent) {
  const ground = `margin: 0; padding: 0; background: ${light('ground')}`
  const surface = `padding: 28px 24px; background: ${light('surface')}; border: 1px solid ${light('line')}; border-radius: 8px; text-align: left`
  const button = `display: inline-block; padding: 10px 16px; border-radius: 6px; background: ${light('accent')}; color: ${light('onAccent')}; ${font}; font-size: 15px; text-decoration: none`
  return (
    <html lang={currentReading().language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{raw(`@media (prefers-color-scheme: dark) {\n${darkRules.join('\n')}\n}`)}</style>
      </head>
      <body class="ground" style={ground}>
        <table {...wide} class="ground" style={ground}>
          <tr>
            <td align="center" style="padding: 24px 12px">
              <table {...wide} style="max-width: 600px">
                <tr>
                  <td class="surface" style={surface}>
                    <div role="main">
                      {parts.map((part) => (
                        <Part part={part} />
                      ))}
                      {go === null ? null : (
                        <p style="margin: 28px 0">
                          <a class="go" style={button} href={go.href}>
                            {go.text}
                          </a>
                        </p>
                      )}
                      <P look="foot">
                        {foot.map((line) => (
                          <>
                            <Link {...line} />{' '}
                          </>
                        ))}
                      </P>
                    </div>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
}

/** Subject and both parts, in the language that is read. */
export async function printMail(content: MailContent) {
  const html = await Mail(content)
  return { subject: content.subject, text: toText(content), html: `<!doctype html>${html.toString()}` }
}
