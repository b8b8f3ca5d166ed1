import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { PageContext, Theme } from '../page-context.ts'
import { Icon } from './icon.tsx'

/** The pages, in the order of a training manager's day. */
const pages = [
  { path: '/', name: 'Overview', key: 'g o' },
  { path: '/guides', name: 'Guides', key: 'g g' },
  { path: '/setup', name: 'Set-up', key: 'g s' },
] as const

type LayoutProps = { context: PageContext; title: string; sample: boolean; refreshSeconds?: number; children?: Child }

export function Layout({ context, title, sample, refreshSeconds, children }: LayoutProps) {
  const { theme, assets, settings, path } = context
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
        <link rel="stylesheet" href={assets.css} />
        <script type="module" src={assets.js}></script>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the numbers
        </a>
        {sample ? (
          <aside class="sample-banner" aria-label="Sample data">
            <strong>Sample data.</strong> These people and numbers are made up by the stand-in platform.
          </aside>
        ) : null}
        <header class="top">
          <div class="top-inner">
            <a class="wordmark" href="/">
              <Wordmark />
              Rollcall
            </a>
            <nav aria-label="Pages">
              {pages.map((page) => (
                <a href={page.path} data-key={page.key} aria-current={page.path === path ? 'page' : undefined}>
                  {page.name}
                </a>
              ))}
            </nav>
            <div class="top-tools">
              <button type="button" class="tool needs-script" data-open-dialog="shortcuts" data-key="?" hidden>
                <kbd aria-hidden="true">?</kbd>
                <span class="visually-hidden">Keyboard shortcuts</span>
              </button>
              <ThemeSwitch theme={theme} context={context} />
            </div>
          </div>
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="foot">
          <p>
            Rollcall {settings.version}. Everything on this page comes from this server; nothing is asked of any other.
          </p>
        </footer>
        <p class="visually-hidden" role="status" id="announcer"></p>
        <ShortcutsDialog />
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
  [['/'], 'Search the filters'],
  [['['], 'A week earlier'],
  [[']'], 'A week later'],
  [['x'], 'Compare with the previous period, or stop'],
  [['g', 'o'], 'Overview'],
  [['g', 'g'], 'Guides'],
  [['g', 's'], 'Set-up'],
  [['?'], 'This list'],
  [['Esc'], 'Close what is open'],
]

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
