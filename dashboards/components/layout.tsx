import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type PageEntry, isCurrentPage, pages } from '../navigation.ts'
import { AccessStrip, SignOut, canOpen, shareHref } from './access.tsx'
import type { PageContext, Theme } from '../page-context.ts'
import { Icon } from './icon.tsx'
import { SharedFrame } from './shared-frame.tsx'
import { ViewMenu } from './view-menu.tsx'
import { StandingStrip } from './standing-strip.tsx'

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
    <html lang="en" data-theme={theme}>
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
      <body>
        <a class="skip" href="#content">
          Skip to the numbers
        </a>
        {sample ? (
          <aside class="sample-banner" aria-label="Sample data">
            <strong>Sample data.</strong> These people and numbers are made up.
          </aside>
        ) : null}
        <AccessStrip context={context} />
        <header class="top">
          <div class="top-inner">
            <a class="wordmark" href="/">
              <Wordmark />
              Rollcall
            </a>
            <Navigation context={context} />
            <div class="top-tools">
              <a class="search-tool" href="/search" data-search data-key="/" aria-label="Search">
                <Icon name="search" />
                <span class="search-word">Search</span>
              </a>
              <button type="button" class="live-tool" data-live-switch aria-pressed="true" hidden>
                <span class="dot" aria-hidden="true"></span>
                Live
              </button>
              <button type="button" class="tool needs-script" data-open-dialog="shortcuts" data-key="?" hidden>
                <kbd aria-hidden="true">?</kbd>
                <span class="visually-hidden">Keyboard shortcuts</span>
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
            Rollcall {settings.version}. Everything on this page comes from this server; nothing is asked of any other.
            {sharing === null ? null : (
              <>
                {' '}
                <a href={sharing}>Share this page</a>
              </>
            )}
            {canOpen(context, '/access') ? (
              <>
                {' '}
                <a href="/access">Who may see what</a>
              </>
            ) : null}
            {context.pdf === undefined ? null : (
              <>
                {' '}
                <a href={context.pdf} download data-pdf>
                  This page as PDF
                </a>
              </>
            )}
          </p>
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

/** In one line where there is room; else behind a button, as a popover, which needs no script. */
function Navigation({ context }: { context: PageContext }) {
  const { path } = context
  const own = pages.filter((page) => canOpen(context, page.path))
  const link = (page: PageEntry) => (
    <a href={page.path} data-key={`g ${page.key}`} aria-current={isCurrentPage(page, path) ? 'page' : undefined}>
      {page.name}
    </a>
  )
  const current = own.find((page) => isCurrentPage(page, path))
  return (
    <>
      <button type="button" class="nav-button" popovertarget="pages">
        {current?.name ?? 'Pages'}
        <Icon name="chevron" />
        <span class="visually-hidden">, choose a page</span>
      </button>
      <nav id="pages" popover="auto" aria-label="Pages">
        {(['daily', 'more', 'behind'] as const).map((group) => (
          <div class={`nav-group nav-${group}`}>{own.filter((page) => page.group === group).map(link)}</div>
        ))}
        <div class="nav-group nav-session">
          <SignOut context={context} />
        </div>
      </nav>
    </>
  )
}

const themes: { value: Theme; name: string }[] = [
  { value: 'auto', name: 'Theme of the system' },
  { value: 'light', name: 'Light theme' },
  { value: 'dark', name: 'Dark theme' },
]

/** A form, so it works without a script; with one, the page changes without loading. */
function ThemeSwitch({ theme, context }: { theme: Theme; context: PageContext }) {
  const query = context.params.toString()
  return (
    <form class="theme-switch" method="post" action="/theme" data-theme-switch>
      <input type="hidden" name="back" value={query === '' ? context.path : `${context.path}?${query}`} />
      {themes.map(({ value, name }) => (
        <button type="submit" name="theme" value={value} aria-pressed={value === theme ? 'true' : 'false'} title={name}>
          <Icon name={value} />
          <span class="visually-hidden">{name}</span>
        </button>
      ))}
    </form>
  )
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

const shortcuts: [keys: string[], what: string][] = [
  [['/'], 'Search people, teams, challenges, pages and definitions; Ctrl K or ⌘ K, too'],
  [['['], 'A week earlier'],
  [[']'], 'A week later'],
  [['x'], 'Compare with another time'],
  ...pages.map(({ key, name }): [string[], string] => [['g', key], name]),
  [['?'], 'This list'],
  [['Esc'], 'Close what is open'],
]

/** The search page in a window over any page. Without a script the link leads to the page. */
function SearchDialog() {
  return (
    <dialog id="search" aria-label="Search">
      <form class="search-form" method="get" action="/search" role="search">
        <input
          type="search"
          name="q"
          aria-label="Person, team, challenge, page or definition"
          placeholder="Person, team, challenge, page or definition"
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
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl>
        {shortcuts.map(([keys, what]) => (
          <div>
            <dt>
              {keys.map((key, i) => (
                <>
                  {i > 0 ? ' then ' : null}
                  <kbd>{key}</kbd>
                </>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" data-shortcuts-toggle checked /> Shortcuts are on
      </label>
      <form method="dialog">
        <button class="button">Close</button>
      </form>
    </dialog>
  )
}
