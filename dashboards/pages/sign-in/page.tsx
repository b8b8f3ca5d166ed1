import { t, rich } from '../../../language/translate.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { Outcome } from '../../components/messages.tsx'
import { LoginField, PasswordField } from '../../components/field.tsx'
import type { Child } from 'hono/jsx'
import type { Problem } from '../../../language/problems.ts'
import { fewestCharacters } from '../../../services/access/passwords.ts'

export type SignInPageProps = {
  context: PageContext
  kind: 'password' | 'oidc' | 'proxy'
  /** Where to go afterwards. */
  back: string
  login?: string
  /** Why the last try did not succeed. */
  problem?: string
  says?: string
}

type FrameProps = {
  context: PageContext
  title: string
  /** Default: the title. */
  heading?: string
  says?: string | undefined
  problem?: Problem | string | undefined
  children?: Child
}

/** A page of one question, in the middle. */
export function SignInFrame({ context, title, heading = title, says, problem, children }: FrameProps) {
  return (
    <Layout context={context} title={title}>
      <div class="problem sign-in">
        <h1>{heading}</h1>
        <Outcome says={says} problem={problem} />
        {children}
      </div>
    </Layout>
  )
}

export function SignInPage({ context, kind, back, login = '', problem, says }: SignInPageProps) {
  return (
    <SignInFrame context={context} title={t('Sign in')} says={says} problem={problem}>
      {kind === 'password' ? <PasswordForm back={back} login={login} /> : null}
      {kind === 'oidc' ? (
        <p>
          <a class="button primary" href={`/sign-in/start?${new URLSearchParams({ back }).toString()}`}>
            {t('Sign in with your organisation')}
          </a>
        </p>
      ) : null}
      {kind === 'proxy' ? (
        <p>
          {t(
            'People sign in at the proxy before this page, and it did not say who you are. Ask its administrator.',
          )}
        </p>
      ) : null}
    </SignInFrame>
  )
}

/** Between signing out here and at the provider: the browser goes on by itself. */
export function SignedOutPage({ context, there }: { context: PageContext; there: string }) {
  return (
    <SignInFrame context={context} title={t('Signed out')} heading={t('You are signed out of Rollcall')}>
      <p>
        <a class="button primary" href={there}>
          {t('Sign out of your organisation, too')}
        </a>
      </p>
    </SignInFrame>
  )
}

function PasswordForm({ back, login }: { back: string; login: string }) {
  return (
    <form method="post" action="/sign-in">
      <input type="hidden" name="back" value={back} />
      <LoginField value={login} />
      <PasswordField label={t('Password')} name="password" />
      <p>
        <button class="button primary">{t('Sign in')}</button>
      </p>
      <p>
        <a href="/sign-in/forgot">{t('Forgot your password?')}</a>
      </p>
    </form>
  )
}

type ForgotPageProps = { context: PageContext; canMail: boolean; login?: string; problem?: Problem }

export function ForgotPage({ context, canMail, login, problem }: ForgotPageProps) {
  return (
    <SignInFrame context={context} title={t('Forgot your password?')} problem={problem}>
      {!canMail ? (
        <p>{t('Ask an owner of this Rollcall for a link to set a new one.')}</p>
      ) : login !== undefined ? (
        <p role="status">
          {t('If {login} can sign in here, a mail with a link is on its way. It may take a minute.', {
            login,
          })}
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
