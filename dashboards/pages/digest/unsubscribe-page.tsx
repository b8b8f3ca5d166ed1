import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import { t, rich } from '../../../language/translate.ts'

type UnsubscribePageProps = {
  context: PageContext
  key: string
  of: 'digest' | 'alerts'
  /** As much of it as the reader may be shown; `null`: the link is nobody's. */
  address: string | null
  isDone: boolean
}

export function UnsubscribePage({ context, key, of, address, isDone }: UnsubscribePageProps) {
  const query = new URLSearchParams({ key, ...(of === 'alerts' && { of }) }).toString()
  return (
    <Layout context={context} title={t('Unsubscribe')} sample={false}>
      <div class="problem sign-in">
        <h1>{isDone ? t('You are unsubscribed') : t('Unsubscribe')}</h1>
        {address !== null && !isDone ? (
          <form method="post" action={`/digest/unsubscribe?${query}`}>
            <p>
              {of === 'digest'
                ? t('Stop the digest to {address}?', { address })
                : t('Stop the alerts to {address}?', { address })}
            </p>
            <p>
              <button class="button primary">{t('Unsubscribe')}</button>
            </p>
          </form>
        ) : null}
        {isDone ? (
          <p>
            {rich(
              of === 'digest'
                ? 'You will no longer receive the digest. You can turn it on again under <a>Digest</a>.'
                : 'You will no longer receive alerts. You can turn them on again under <a>Digest</a>.',
              { a: (text) => <a href="/digest">{text}</a> },
            )}
          </p>
        ) : null}
        {address === null ? (
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
