import { t, rich } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { CardPage } from '../../components/plain-page.tsx'
import { Form, LoginField, PasswordField } from '../../components/field.tsx'
import type { SignInMode } from '../../access/entrance.ts'
import { fewestCharacters } from '../../../services/access/passwords.ts'

type SignInPageProps = {
  context: PageContext
  kind: SignInMode
  /** Where to go afterwards. */
  back: string
  login: string
}

export function SignInPage({ context, kind, back, login }: SignInPageProps) {
  return (
    <CardPage context={context} title={t('Sign in')}>
      {kind === 'password' ? (
        <>
          <Form action="/sign-in" button={t('Sign in')} hidden={{ back }}>
            <LoginField value={login} />
            <PasswordField label={t('Password')} name="password" />
          </Form>
          <p>
            <a href="/sign-in/forgot">{t('Forgot your password?')}</a>
          </p>
        </>
      ) : kind === 'oidc' ? (
        <p>
          <a class="button primary" href={`/sign-in/start?${new URLSearchParams({ back }).toString()}`}>
            {t('Sign in with your organisation')}
          </a>
        </p>
      ) : (
        <p>{t('Sign-in is handled by a proxy. It did not say who you are. Ask its administrator.')}</p>
      )}
    </CardPage>
  )
}

/** Between signing out here and at the provider: the browser goes on by itself. */
export function SignedOutPage({ context, there }: { context: PageContext; there: string }) {
  return (
    <CardPage context={context} title={t('Signed out')} heading={t('You are signed out of Rollcall')}>
      <p>
        <a class="button primary" href={there}>
          {t('Sign out of your organisation, too')}
        </a>
      </p>
    </CardPage>
  )
}

export function ForgotPage({ context, canMail }: { context: PageContext; canMail: boolean }) {
  return (
    <CardPage context={context} title={t('Forgot your password?')}>
      {!canMail ? (
        <p>{t('Ask an owner of this Rollcall for a link to set a new one.')}</p>
      ) : (
        <Form action="/sign-in/forgot" button={t('Send me a link')}>
          <LoginField />
        </Form>
      )}
      <p>
        <a href="/sign-in">{t('Sign in')}</a>
      </p>
    </CardPage>
  )
}

const chosen = { isNew: true, minlength: fewestCharacters }

type SetPageProps = {
  context: PageContext
  login: string
  /** Where a link leads, or the page of a person who is signed in and enters their current password. */
  action: string
  asksCurrent: boolean
}

export function SetPasswordPage({ context, login, action, asksCurrent }: SetPageProps) {
  const title = asksCurrent ? t('Change your password') : t('Set your password')
  return (
    <CardPage context={context} title={title}>
      <Form action={action} button={title}>
        <LoginField value={login} readonly />
        {asksCurrent ? <PasswordField label={t('Current password')} name="current" /> : null}
        <PasswordField
          label={t('New password, at least {n} characters', { n: String(fewestCharacters) })}
          name="password"
          {...chosen}
        />
        <PasswordField label={t('Repeat the new password')} name="again" {...chosen} />
        <p class="quiet">{t('You will be signed out on other devices.')}</p>
      </Form>
    </CardPage>
  )
}

export function NoSuchLinkPage({ context }: { context: PageContext }) {
  return (
    <CardPage context={context} title={t('This link does not work')}>
      <p>
        {rich(
          'It may have expired, been used, or been cut off. Copy the whole link again, or <a>ask for a new one</a>.',
          { a: (text) => <a href="/sign-in/forgot">{text}</a> },
        )}
      </p>
    </CardPage>
  )
}
