/** The menus at the end of the bar. `details`, so they need no script. */
import { currentReading, languageNames, languages } from '../../language/language.ts'
import { lookUp, t, type Message } from '../../language/translate.ts'
import type { PageContext, Theme } from '../page-context.ts'
import { isCurrentPage, pages, type PageEntry } from '../navigation.ts'
import { canOpen } from './access.tsx'
import { Menu } from './behind.tsx'
import { Icon } from './icon.tsx'
import { ownViews, viewHref } from './saved-views.ts'

export function AdminMenu({ context }: { context: PageContext }) {
  const isMails = ({ path }: PageEntry) => path === '/digest' && context.visitor.role === 'owner'
  const places = pages.filter((page) => page.menu === 'admin' || isMails(page))
  const items = toLinks(context, places)
  if (items.length === 0) return null
  return (
    <Menu id="admin" label={<>{t('Admin')}</>} isAtEnd isTool>
      <ul class="links">{items}</ul>
    </Menu>
  )
}

const toLinks = (context: PageContext, places: readonly PageEntry[]) =>
  places
    .filter(({ path }) => canOpen(context, path))
    .map((page) => (
      <li>
        <a href={page.path} aria-current={isCurrentPage(page, context.path) ? 'page' : undefined}>
          {t(page.name)}
        </a>
      </li>
    ))

/** The reader's own menu: who I am, what is mine, how pages look, and the way out. */
export function AccountMenu({ context }: { context: PageContext }) {
  const { login, role, via } = context.visitor
  const name = login === '' ? t('Settings') : login
  const views = ownViews(context)
  // Where no one signs in, no one has mails of their own.
  const places = pages.filter(
    ({ menu, path }) => menu === 'account' && (path !== '/digest' || via !== 'nobody'),
  )
  const label = (
    <>
      <Icon name="person" />
      <span class="account-name">{name}</span>
    </>
  )
  return (
    <Menu id="account" label={label} isAtEnd isTool className="account-menu" title={name}>
      {login === '' || role === null ? null : (
        <p class="account-who">
          {t('Signed in as {login}', { login })}
          <span class="quiet"> {lookUp(role)}</span>
        </p>
      )}
      {views.length === 0 ? null : (
        <ul class="links" aria-label={t('Saved views')}>
          {views.map((view) => (
            <li>
              <a href={viewHref(view)}>{view.name}</a>
            </li>
          ))}
        </ul>
      )}
      <ul class="links">
        {toLinks(context, places)}
        {context.hasPassword ? (
          <li>
            <a href="/password">{t('Change your password')}</a>
          </li>
        ) : null}
        <li class="needs-script" hidden>
          <button type="button" class="plain" data-open-dialog="shortcuts" data-key="?">
            {t('Keyboard shortcuts')}
          </button>
        </li>
      </ul>
      <ThemeSwitch context={context} />
      <LanguageSwitch context={context} />
      {via !== 'session' ? null : (
        <form method="post" action="/sign-out">
          <button type="submit" class="button">
            {t('Sign out')}
          </button>
        </form>
      )}
    </Menu>
  )
}

const themes: { value: Theme; name: Message }[] = [
  { value: 'auto', name: 'Theme of the system' },
  { value: 'light', name: 'Light theme' },
  { value: 'dark', name: 'Dark theme' },
]

function ThemeSwitch({ context }: { context: PageContext }) {
  return (
    <form class="segments" method="post" action="/theme" id="theme" data-follow>
      <input type="hidden" name="back" value={context.address} />
      {themes.map(({ value, name }) => (
        <button
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === context.theme ? 'true' : 'false'}
          title={t(name)}
        >
          <Icon name={value} />
          <span class="visually-hidden">{t(name)}</span>
        </button>
      ))}
    </form>
  )
}

function LanguageSwitch({ context }: { context: PageContext }) {
  const others = languages.filter((language) => language !== currentReading().language)
  return (
    <form method="post" action="/language" id="language" data-follow>
      <input type="hidden" name="back" value={context.address} />
      {others.map((language) => (
        <button class="plain" name="language" value={language} lang={language}>
          {languageNames[language]}
        </button>
      ))}
    </form>
  )
}
