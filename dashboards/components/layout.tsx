import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type PageEntry, isCurrentPage, pages } from '../navigation.ts'
import { AccessStrip, SignOut, canOpen, shareHref } from './access.tsx'
import type { PageContext, Theme } from '../page-context.ts'
import { Icon } from './icon.tsx'
import { SharedFrame } from './shared-frame.tsx'
import { ViewMenu } from './view-menu.tsx'
import { currentReading, languageNames, offered } from '../../language/language.ts'
import { rich, t, type Message } from '../../language/translate.ts'
import { clientWords } from '../../language/client-words.ts'
import { SampleBanner, StandingStrip } from './messages.tsx'

type LayoutProps = { context: PageContext; title: string; sample: boolean; refreshSeconds?: number; children?: Child }

export function Layout({ context, title, sample, refreshSeconds, children }: LayoutProps) {
  const share = context.visitor?.share
  if (share !== undefined) {
    return (
      <>
        {raw('<!doctype html>')}
        <SharedFrame context={context} title={title} sample={sample} share={share}>
          {children}
        </SharedFrame>
      </>
    )
  }
  const { theme, assets, settings } = context
  const sharing = shareHref(context)
  const page = (
    <html lang={currentReading().language} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Rollcall`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <meta name="robots" content="noindex" />
        {refreshSeconds === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href={assets.css} />
        <script type="module" src={assets.js}></script>
      </head>
      <body data-words={clientWords()}>
        <a class="skip" href="#content">
          {t('Skip to the numbers')}
        </a>
        {sample ? <SampleBanner /> : null}
        <AccessStrip context={context} />
        <header class="top">
          <div class="top-inner">
            <a class="wordmark" href="/">
              <Wordmark />
              Rollcall
            </a>
            <Navigation context={context} />
            <div class="top-tools">
              <a class="search-tool" href={searchHref(context)} data-search data-key="/" aria-label={t('Search')}>
                <Icon name="search" />
              </a>
              <button type="button" class="live-tool" data-live-switch aria-pressed="true" hidden>
                <span class="dot" aria-hidden="true"></span>
                {t('Live')}
              </button>
              <button type="button" class="tool needs-script" data-open-dialog="shortcuts" data-key="?" hidden>
                <kbd aria-hidden="true">?</kbd>
                <span class="visually-hidden">{t('Keyboard shortcuts')}</span>
              </button>
              <ViewMenu context={context} />
              <ThemeSwitch theme={theme} context={context} />
              {context.views === undefined ? <SignOut context={context} /> : null}
            </div>
          </div>
        </header>
        <StandingStrip context={context} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="foot">
          <p>
            Rollcall {settings.version}.
            {sharing === null ? null : (
              <>
                {' '}
                <a href={sharing}>{t('Share this page')}</a>
              </>
            )}
            {canOpen(context, '/access') ? (
              <>
                {' '}
                <a href="/access">{t('Who may see what')}</a>
              </>
            ) : null}
          </p>
          <LanguageSwitch context={context} />
        </footer>
        <p class="visually-hidden" role="status" id="announcer"></p>
        <ShortcutsDialog />
        <SearchDialog />
      </body>
    </html>
  )
  return (
    <>
      {raw('<!doctype html>')}
      {page}
    </>
  )
}

/** Looks for people of the moment of the page. */
function searchHref({ params }: PageContext): string {
  const asOf = params.get('as_of') ?? ''
  return asOf === '' ? '/search' : `/search?${new URLSearchParams({ as_of: asOf }).toString()}`
}

/** In one line where there is room; else behind a button, as a popover, which needs no script. */
function Navigation({ context }: { context: PageContext }) {
  const { path } = context
  const own = pages.filter((page) => canOpen(context, page.path))
  const link = (page: PageEntry) => (
    <a href={page.path} data-key={`g ${page.key}`} aria-current={isCurrentPage(page, path) ? 'page' : undefined}>
      {t(page.name)}
    </a>
  )
  const current = own.find((page) => isCurrentPage(page, path))
  return (
    <>
      <button type="button" class="nav-button" popovertarget="pages">
        {t(current?.name ?? 'Pages')}
        <Icon name="chevron" />
        <span class="visually-hidden">{t(', choose a page')}</span>
      </button>
      <nav id="pages" popover="auto" aria-label={t('Pages')}>
        {own.length === 0
          ? null
          : (['daily', 'more', 'behind'] as const).map((group) => (
              <div class={`nav-group nav-${group}`}>{own.filter((page) => page.group === group).map(link)}</div>
            ))}
        <div class="nav-group nav-session">
          <SignOut context={context} />
        </div>
      </nav>
    </>
  )
}

const themes: { value: Theme; name: Message }[] = [
  { value: 'auto', name: 'Theme of the system' },
  { value: 'light', name: 'Light theme' },
  { value: 'dark', name: 'Dark theme' },
]

/** A form, so it works without a script; with one, the page changes without loading. */
function ThemeSwitch({ theme, context }: { theme: Theme; context: PageContext }) {
  return (
    <form class="theme-switch" method="post" action="/theme" data-theme-switch>
      <input type="hidden" name="back" value={toBack(context)} />
      {themes.map(({ value, name }) => (
        <button
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === theme ? 'true' : 'false'}
          title={t(name)}
        >
          <Icon name={value} />
          <span class="visually-hidden">{t(name)}</span>
        </button>
      ))}
    </form>
  )
}

/** The other languages, each by its own name: in the foot, because the bar is full. Nothing where there is only one. */
function LanguageSwitch({ context }: { context: PageContext }) {
  const others = offered.filter((language) => language !== currentReading().language)
  if (others.length === 0 || offered.length === 1) return null
  return (
    <form class="language-switch" method="post" action="/language">
      <input type="hidden" name="back" value={toBack(context)} />
      {others.map((language) => (
        <button type="submit" name="language" value={language} lang={language}>
          {languageNames[language]}
        </button>
      ))}
    </form>
  )
}

/** Where a form of the frame leads back to. */
function toBack({ params, path }: PageContext): string {
  const query = params.toString()
  return query === '' ? path : `${path}?${query}`
}

/** Four marks and one that stands out: a roll call. */
function Wordmark() {
  return (
    <svg class="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <rect x="1" y="11" width="3" height="7" rx="1.5" />
      <rect x="6" y="7" width="3" height="11" rx="1.5" />
      <rect x="11" y="9" width="3" height="9" rx="1.5" />
      <rect class="mark-accent" x="16" y="2" width="3" height="16" rx="1.5" />
    </svg>
  )
}

const shortcuts: [keys: string[], what: Message][] = [
  [['/'], 'Search people, teams, challenges, pages and definitions; Ctrl K or ⌘ K, too'],
  [['['], 'A week earlier'],
  [[']'], 'A week later'],
  [['x'], 'Compare with another time'],
  ...pages.map(({ key, name }): [string[], Message] => [['g', key], name]),
  [['?'], 'This list'],
  [['Esc'], 'Close what is open'],
]

/** The search page in a window over any page. Without a script the link leads to the page. */
function SearchDialog() {
  return (
    <dialog id="search" aria-label={t('Search')}>
      <form class="search-form" method="get" action="/search" role="search">
        <input
          type="search"
          name="q"
          aria-label={t('Person, team, challenge, page or definition')}
          placeholder={t('Person, team, challenge, page or definition')}
          autocomplete="off"
        />
      </form>
      <div data-found></div>
    </dialog>
  )
}

function ShortcutsDialog() {
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t('Keyboard shortcuts')}</h2>
      <dl>
        {shortcuts.map(([keys, what]) => (
          <div>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" data-shortcuts-toggle checked /> {t('Shortcuts are on')}
      </label>
      <form method="dialog">
        <button class="button">{t('Close')}</button>
      </form>
    </dialog>
  )
}

/** One key, or two that are pressed one after the other. */
function Keys({ keys: [first = '', second] }: { keys: readonly string[] }) {
  if (second === undefined) return <kbd>{first}</kbd>
  return <>{rich('{first} then {second}', { first: <kbd>{first}</kbd>, second: <kbd>{second}</kbd> })}</>
}
