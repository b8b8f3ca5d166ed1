import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { currentReading } from '../../language/language.ts'
import { t, lookUp, rich } from '../../language/translate.ts'
import type { PageContext } from '../page-context.ts'
import type { Visitor } from '../../services/access/visitor.ts'
import { SampleBanner } from './messages.tsx'

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
          <title>{`${title} · Rollcall`}</title>
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

type SharedFrameProps = {
  context: PageContext
  title: string
  sample: boolean
  /** Left out: there is nothing behind the link. */
  share?: NonNullable<Visitor['share']>
  children?: Child
}

/** The frame of a page that somebody shared: its name, until when it opens, and its files. Nothing leads elsewhere. */
export function SharedFrame({ context, title, sample, share, children }: SharedFrameProps) {
  return (
    <HtmlPage
      context={context}
      title={title}
      theme="auto"
      robots="noindex, nofollow"
      meta={<meta name="referrer" content="no-referrer" />}
      attributes={{ class: 'shared' }}
    >
      {sample ? <SampleBanner /> : null}
      {share === undefined ? null : <ShareHead context={context} share={share} />}
      <main id="content" tabindex={-1}>
        {children}
      </main>
      <Foot context={context} />
    </HtmlPage>
  )
}

type ShareHeadProps = { context: PageContext; share: NonNullable<Visitor['share']> }

function ShareHead({ context: { format, visitor, sees }, share }: ShareHeadProps) {
  const isNarrowed = visitor.audience.people !== 'all'
  return (
    <header class="shared-head">
      <p>
        {rich(
          '<strong>Shared with you.</strong> One page of Rollcall, to read. The link opens until {until}. Anybody who has it can open it.',
          {
            strong: (text) => <strong>{text}</strong>,
            until: format.instant(share.expiresAtMs),
          },
        )}
      </p>
      {isNarrowed && sees !== undefined ? (
        <p>
          {t(
            'Only the work of {n, plural, one {# person} other {# people}} is counted here: the people of the person who shared this page.',
            { n: sees },
          )}
        </p>
      ) : null}
      {share.files.length === 0 ? null : (
        <ul class="shared-files" aria-label={t('Files')}>
          {share.files.map(({ name, href }) => (
            <li>
              <a href={href} download>
                {lookUp(name)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}
