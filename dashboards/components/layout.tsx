import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { currentReading } from '../../language/language.ts'
import { isCurrentPage, pages, tabsOf } from '../navigation.ts'
import type { PageContext } from '../page-context.ts'
import { followHref, followed, lastingHref } from '../scope/follow.ts'
import { href } from '../scope/page-url.ts'
import { version } from '../../services/runtime/version.ts'
import { isolateText, rich, t, type Message } from '../../language/translate.ts'
import { clientWords } from '../../language/client-words.ts'
import { AccessStrip, canOpen, WhosePeople } from './access.tsx'
import { AccountMenu, AdminMenu } from './account-menu.tsx'
import { Hidden, SearchField } from './field.tsx'
import { Icon } from './icon.tsx'
import { canSave } from './saved-views.ts'
import { Outcome, SampleBanner, StandingStrip } from './messages.tsx'

type LayoutProps = {
  context: PageContext
  title: string
  sample?: boolean
  children?: Child
}

/** The frame of every page around its content. */
export function Layout({ context, title, sample = false, children }: LayoutProps) {
  const { theme, assets, path } = context
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={currentReading().language} data-theme={theme}>
        <head>
          <meta charset="utf-8" />
          <title>{`${isolateText(title)} · Rollcall`}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
          <meta name="robots" content="noindex" />
          <link rel="icon" href={assets.icon} type="image/svg+xml" />
          <link rel="preload" href={assets.font} as="font" type="font/woff2" crossorigin="" />
          <link rel="stylesheet" href={assets.css} />
          <script type="module" src={assets.js}></script>
        </head>
        <body data-words={clientWords()}>
          <a class="skip" href="#content">
            {t('Skip to the numbers')}
          </a>
          <div class="strips">
            {sample ? <SampleBanner /> : null}
            <AccessStrip context={context} />
          </div>
          <header class="top">
            <div class="top-inner">
              <a class="wordmark" href="/">
                <Wordmark />
                Rollcall
              </a>
              <Navigation context={context} />
              <div class="top-tools">
                {canOpen(context, '/search') ? (
                  <span id="search-tool" data-follow>
                    <a
                      class="tool"
                      href={href('/search', followed(context))}
                      data-search
                      data-key="/"
                      aria-label={t('Search')}
                    >
                      <Icon name="search" />
                    </a>
                  </span>
                ) : null}
                {canOpen(context, '/help') ? (
                  <a
                    class="tool"
                    href="/help"
                    aria-current={path === '/help' ? 'page' : undefined}
                    title={t('Help')}
                  >
                    <span aria-hidden="true">?</span>
                    <span class="visually-hidden">{t('Help')}</span>
                  </a>
                ) : null}
                <AdminMenu context={context} />
                <AccountMenu context={context} />
              </div>
            </div>
          </header>
          <StandingStrip context={context} />
          <main id="content" tabindex={-1}>
            <Outcome {...context.outcome} />
            <Tabs context={context} />
            <WhosePeople context={context} />
            {children}
            <SaveForm context={context} />
          </main>
          <footer class="foot">
            <p>Rollcall {version}.</p>
          </footer>
          <p class="visually-hidden" role="status" id="announcer"></p>
          <ShortcutsDialog context={context} />
          <SearchDialog />
        </body>
      </html>
    </>
  )
}

/** In one line where there is room; else behind a button, as a popover, which needs no script. */
function Navigation({ context }: { context: PageContext }) {
  const { path } = context
  const places = pages.filter((page) => page.menu === 'bar' && canOpen(context, page.path))
  if (places.length === 0) return null
  const current = places.find((page) => isCurrentPage(page, path))
  return (
    <>
      <button type="button" class="nav-button" popovertarget="pages">
        <span class="nav-name">{t(current?.name ?? 'Pages')}</span>
        <Icon name="chevron" />
        <span class="visually-hidden">{t(', choose a page')}</span>
      </button>
      <nav id="pages" popover="auto" aria-label={t('Pages')} data-follow>
        {places.map((page) => (
          <a href={followHref(context, page)} aria-current={page === current ? 'page' : undefined}>
            {t(page.name)}
          </a>
        ))}
      </nav>
    </>
  )
}

function Tabs({ context }: { context: PageContext }) {
  const { path, standing } = context
  const hasGuides = path === '/guides' || standing?.has_guides !== false
  const tabs = tabsOf(path).filter(
    (page) => canOpen(context, page.path) && (page.path !== '/guides' || hasGuides),
  )
  if (tabs.length < 2) return null
  return (
    <nav class="tabs" id="tabs" aria-label={t('Tabs')} data-follow>
      {tabs.map((page) => (
        <a href={followHref(context, page)} aria-current={page.path === path ? 'page' : undefined}>
          {t(page.name)}
        </a>
      ))}
    </nav>
  )
}

/** The form of Save in the bar of filters: of this page as it is now. */
function SaveForm({ context }: { context: PageContext }) {
  if (!canSave(context)) return null
  return (
    <form method="post" action="/views" id="save-view" data-follow>
      <Hidden
        fields={[
          ['page', lastingHref(context)],
          ['back', context.address],
        ]}
      />
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

const shortcuts: [key: string, what: Message][] = [
  ['/', 'Search people, teams, challenges, pages and definitions; Ctrl K or ⌘ K, too'],
  ['[', 'View as of a week before'],
  [']', 'View as of a week after'],
  ['x', 'Compare with another time'],
  ['?', 'This list'],
  ['Esc', 'Close what is open'],
]

/** The search page in a window over any page. Without a script the link leads to the page. */
function SearchDialog() {
  return (
    <dialog id="search" aria-label={t('Search')}>
      <form class="search-form" method="get" action="/search" role="search">
        <SearchField />
      </form>
      <p class="quiet" data-failed-search hidden>
        {t('The search could not be done. Try again, or load the page again.')}
      </p>
      <div data-found></div>
    </dialog>
  )
}

/** Keys press its links, so a key does nothing that a reader may not. */
function ShortcutsDialog({ context }: { context: PageContext }) {
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t('Keyboard shortcuts')}</h2>
      <dl id="shortcut-keys" data-follow>
        {shortcuts.map(([key, what]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
        {pages
          .filter(({ path }) => canOpen(context, path))
          .map((page) => (
            <div>
              <dt>{rich('{first} then {second}', { first: <kbd>g</kbd>, second: <kbd>{page.key}</kbd> })}</dt>
              <dd>
                <a href={followHref(context, page)} data-key={`g ${page.key}`}>
                  {t(page.name)}
                </a>
              </dd>
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
