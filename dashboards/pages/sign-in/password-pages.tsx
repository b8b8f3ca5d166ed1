import { rich, t } from '../../../language/translate.ts'
import { type Problem } from '../../../language/problems.ts'
import { fewestCharacters } from '../../../services/access/passwords.ts'
import type { PageContext } from '../../page-context.ts'
import { LoginField, PasswordField } from '../../components/field.tsx'
import { SignInFrame } from './page.tsx'

type ForgotPageProps = { context: PageContext; canMail: boolean; login?: string; problem?: Problem }

export function ForgotPage({ context, canMail, login, problem }: ForgotPageProps) {
  return (
    <SignInFrame context={context} title={t('Forgot your password?')} problem={problem}>
      {!canMail ? (
        <p>{t('Ask an owner of this Rollcall for a link to set a new one.')}</p>
      ) : login !== undefined ? (
        <p role="status">
          {t('If {login} can sign in here, a mail with a link is on its way. It may take a minute.', { login })}
        </p>
      ) : (
        <form method="post" action="/sign-in/forgot">
          <LoginField />
          <p>
            <button class="button primary">{t('Send me a link')}</button>
          </p>
        </form>
      )}
      <p>
        <a href="/sign-in">{t('Sign in')}</a>
      </p>
    </SignInFrame>
  )
}

const chosen = { isNew: true, minlength: fewestCharacters }

type SetPageProps = { context: PageContext; login: string; problem?: Problem | undefined }

/** `action`: where a link leads, or the page of somebody who is signed in and says their password. */
export function SetPasswordPage(props: SetPageProps & { action: string; asksCurrent: boolean }) {
  const { context, login, action, asksCurrent, problem } = props
  const title = asksCurrent ? t('Change your password') : t('Set your password')
  return (
    <SignInFrame context={context} title={title} problem={problem}>
      <form method="post" action={action}>
        <LoginField value={login} readonly />
        {asksCurrent ? <PasswordField label={t('Current password')} name="current" /> : null}
        <PasswordField
          label={t('New password, at least {n} characters', { n: String(fewestCharacters) })}
          name="password"
          {...chosen}
        />
        <PasswordField label={t('Repeat the new password')} name="again" {...chosen} />
        <p class="quiet">{t('Afterwards you sign in with the new password on every device.')}</p>
        <p>
          <button class="button primary">{title}</button>
        </p>
      </form>
    </SignInFrame>
  )
}

export function NoSuchLinkPage({ context }: { context: PageContext }) {
  return (
    <SignInFrame context={context} title={t('This link does not work')}>
      <p>
        {rich(
          'It may have expired, been used, or been cut off. Copy the whole link again, or <a>ask for a new one</a>.',
          { a: (text) => <a href="/sign-in/forgot">{text}</a> },
        )}
      </p>
    </SignInFrame>
  )
}
