/**
 * The look of every mail of ours. Mail programs know neither our style sheet nor scripts: colours are inline, those for
 * a dark ground in one rule that programs without it ignore, and nothing is loaded from anywhere.
 */
import { raw } from 'hono/html'
import { currentReading } from '../../language/language.ts'
import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'

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
export const mailStyles = {
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

/** A page is answered as it is; a mail is a text. */
export async function toHtml(element: HtmlEscapedString | Promise<HtmlEscapedString>): Promise<string> {
  return (await element).toString()
}

/** In the language that is read. */
export function MailFrame({ title, children }: { title: string; children?: Child }) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={currentReading().language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>{title}</title>
          <style>{raw(rules)}</style>
        </head>
        <body class="ground" style={`margin: 0; padding: 0; background: ${light.ground}`}>
          <table
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            class="ground"
            style={`background: ${light.ground}`}
          >
            <tr>
              <td align="center" style="padding: 24px 12px">
                <table
                  role="presentation"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  style="max-width: 600px"
                >
                  <tr>
                    <td
                      class="surface"
                      style={`padding: 28px 24px; background: ${light.surface}; border: 1px solid ${light.line}; border-radius: 8px; text-align: left`}
                    >
                      <div role="main">{children}</div>
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
}

type Words = {
  /** Beside the usual style. */
  more?: string
  children?: Child
}

export function Text({ more, children }: Words) {
  return (
    <p class="ink" style={withMore(mailStyles.text, more)}>
      {children}
    </p>
  )
}

export function Quiet({ more, children }: Words) {
  return (
    <p class="quiet" style={withMore(mailStyles.quiet, more)}>
      {children}
    </p>
  )
}

function withMore(style: string, more?: string): string {
  return more === undefined ? style : `${style}; ${more}`
}

export function Title({ children }: { children: string }) {
  return (
    <h1 class="ink" style={mailStyles.title}>
      {children}
    </h1>
  )
}

/** The next step of the reader. */
export function Go({ href, children }: { href: string; children: string }) {
  return (
    <p style="margin: 28px 0">
      <a class="go" style={mailStyles.go} href={href}>
        {children}
      </a>
    </p>
  )
}

export function MailLink({ href, children }: { href: string | null; children?: Child }) {
  if (href === null) return <>{children}</>
  return (
    <a class="link" style={mailStyles.link} href={href}>
      {children}
    </a>
  )
}
