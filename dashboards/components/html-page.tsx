import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { currentReading } from '../../language/language.ts'
import { isolateText, t } from '../../language/translate.ts'
import type { PageContext } from '../page-context.ts'

type HtmlPageProps = {
  context: PageContext
  title: string
  theme: PageContext['theme']
  /** The instruction for search engines. */
  robots: string
  /** Further entries of the head. Default: nothing. */
  meta?: Child
  scripts?: Child
  /** Attributes of the body. */
  attributes: Record<string, string | undefined>
  children?: Child
}

/** The frame of every page around its content: head, style sheet, the way to the content, and a foot. */
export function HtmlPage(props: HtmlPageProps) {
  const { context, title, theme, robots, meta, scripts, attributes, children } = props
  const { assets } = context
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={currentReading().language} data-theme={theme}>
        <head>
          <meta charset="utf-8" />
          <title>{`${isolateText(title)} · Rollcall`}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
          <meta name="robots" content={robots} />
          {meta}
          <link rel="icon" href={assets.icon} type="image/svg+xml" />
          <link rel="preload" href={assets.font} as="font" type="font/woff2" crossorigin="" />
          <link rel="stylesheet" href={assets.css} />
          {scripts}
        </head>
        <body {...attributes}>
          <a class="skip" href="#content">
            {t('Skip to the numbers')}
          </a>
          {children}
        </body>
      </html>
    </>
  )
}

export function Foot({ context }: { context: PageContext }) {
  return (
    <footer class="foot">
      <p>Rollcall {context.settings.version}.</p>
    </footer>
  )
}
