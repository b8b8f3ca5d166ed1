import { t } from '../../../language/translate.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'

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

export function SignInPage({ context, kind, back, login = '', problem, says }: SignInPageProps) {
  return (
    <Layout context={context} title={t('Sign in')} sample={false}>
      <div class="problem sign-in">
        <h1>{t('Sign in')}</h1>
        {problem === undefined ? null : (
          <p role="alert" class="sign-in-problem">
            {problem}
          </p>
        )}
        {says === undefined ? null : <p role="status">{says}</p>}
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
            {t('People sign in at the proxy before this page, and it did not say who you are. Ask its administrator.')}
          </p>
        ) : null}
      </div>
    </Layout>
  )
}

/** Between signing out here and at the provider: the browser goes on by itself. */
export function SignedOutPage({ context, there }: { context: PageContext; there: string }) {
  return (
    <Layout context={context} title={t('Signed out')} sample={false}>
      <div class="problem sign-in">
        <h1>{t('You are signed out of Rollcall')}</h1>
        <p>
          <a class="button primary" href={there}>
            {t('Sign out of your organisation, too')}
          </a>
        </p>
      </div>
    </Layout>
  )
}

function PasswordForm({ back, login }: { back: string; login: string }) {
  return (
    <form method="post" action="/sign-in">
      <input type="hidden" name="back" value={back} />
      <label>
        {t('E-mail')}
        <input type="email" name="login" value={login} required autocomplete="username" maxlength={320} />
      </label>
      <label>
        {t('Password')}
        <input type="password" name="password" required autocomplete="current-password" maxlength={1024} />
      </label>
      <p>
        <button class="button primary">{t('Sign in')}</button>
      </p>
      <p>
        <a href="/sign-in/forgot">{t('Forgot your password?')}</a>
      </p>
    </form>
  )
}
