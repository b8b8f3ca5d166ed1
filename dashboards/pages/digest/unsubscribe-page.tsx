import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { t, rich } from '../../../language/translate.ts'

type UnsubscribePageProps = {
  context: PageContext
  key: string
  of: 'digest' | 'alerts'
  /** `null`: not asked yet. `false`: the link is nobody's. */
  done: boolean | null
}

export function UnsubscribePage({ context, key, of, done }: UnsubscribePageProps) {
  const query = new URLSearchParams({ key, ...(of === 'alerts' && { of }) }).toString()
  return (
    <Layout context={context} title={t('Unsubscribe')} sample={false}>
      <div class="problem sign-in">
        <h1>{done === true ? t('You are unsubscribed') : t('Unsubscribe')}</h1>
        {done === null ? (
          <form method="post" action={`/digest/unsubscribe?${query}`}>
            <p>
              {of === 'digest'
                ? t('Stop the digest to the address of this link?')
                : t('Stop the alerts to the address of this link?')}
            </p>
            <p>
              <button class="button primary">{t('Unsubscribe')}</button>
            </p>
          </form>
        ) : null}
        {done === true ? (
          <p>
            {rich(
              of === 'digest'
                ? 'You will no longer receive the digest. You can turn it on again under <a>Digest</a>.'
                : 'You will no longer receive alerts. You can turn them on again under <a>Digest</a>.',
              { a: (text) => <a href="/digest">{text}</a> },
            )}
          </p>
        ) : null}
        {done === false ? (
          <p role="alert">
            {rich(
              'This link is not known. It may be incomplete: open it from the mail, or sign in and choose at <a>Digest</a>.',
              { a: (text) => <a href="/digest">{text}</a> },
            )}
          </p>
        ) : null}
      </div>
    </Layout>
  )
}
