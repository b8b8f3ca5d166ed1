/** The reader's own menu: who I am, what is mine, how pages look, and the way out. `details`, so it needs no script. */
import { currentReading, languageNames, languages } from '../../language/language.ts'
import { lookUp, t, type Message } from '../../language/translate.ts'
import type { PageContext, Theme } from '../page-context.ts'
import { pages } from '../navigation.ts'
import { canOpen } from './access.tsx'
import { Menu } from './behind.tsx'
import { Icon } from './icon.tsx'
import { ownViews, viewHref } from './saved-views.ts'

export function AccountMenu({ context }: { context: PageContext }) {
  const { login, role, via } = context.visitor
  const name = login === '' ? t('Settings') : login
  return (
    <Menu
      id="account"
      label={
        <>
          <Icon name="person" />
          <span class="account-name">{name}</span>
        </>
      }
      isAtEnd
      isTool
      className="account-menu"
      title={name}
    >
      {login === '' || role === null ? null : (
        <p class="account-who">
          {t('Signed in as {login}', { login })}
          <span class="quiet"> {lookUp(role)}</span>
        </p>
      )}
      <Views context={context} />
      <ul class="links">
        {pages
          .filter(({ menu, path }) => menu === 'account' && canOpen(context, path))
          // Where no one signs in, no one has mails of their own.
          .filter(({ path }) => path !== '/digest' || via !== 'nobody')
          .map(({ path, name }) => (
            <li>
              <a href={path}>{t(name)}</a>
            </li>
          ))}
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

/** To open with one click. */
function Views({ context }: { context: PageContext }) {
  const views = ownViews(context)
  if (views.length === 0) return null
  return (
    <ul class="links" aria-label={t('Saved views')}>
      {views.map((view) => (
        <li>
          <a href={viewHref(view)}>{view.name}</a>
        </li>
      ))}
    </ul>
  )
}

const themes: { value: Theme; name: Message }[] = [
  { value: 'auto', name: 'Theme of the system' },
  { value: 'light', name: 'Light theme' },
  { value: 'dark', name: 'Dark theme' },
]

/** A form, so it works without a script; with one, the page changes without loading. */
function ThemeSwitch({ context }: { context: PageContext }) {
  return (
    <form class="segments" method="post" action="/theme" data-theme-switch>
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

/** The other languages, each by its own name. */
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
