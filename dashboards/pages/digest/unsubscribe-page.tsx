import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'

type UnsubscribePageProps = {
  context: PageContext
  key: string
  of: 'digest' | 'alerts'
  /** `null`: not asked yet. `false`: the link is nobody's. */
  done: boolean | null
}

const words = { digest: 'the digest', alerts: 'alerts of Health' }

export function UnsubscribePage({ context, key, of, done }: UnsubscribePageProps) {
  const query = new URLSearchParams({ key, ...(of === 'alerts' && { of }) }).toString()
  return (
    <Layout context={context} title="Unsubscribe" sample={false}>
      <div class="problem sign-in">
        <h1>{done === true ? 'You are unsubscribed' : 'Unsubscribe'}</h1>
        {done === null ? (
          <form method="post" action={`/digest/unsubscribe?${query}`}>
            <p>No more mails with {words[of]} go to the address to which this link was sent.</p>
            <p>
              <button class="button primary">Unsubscribe</button>
            </p>
          </form>
        ) : null}
        {done === true ? (
          <p>
            You get {words[of]} no more. To get it again, sign in and choose so at <a href="/digest">Digest</a>.
          </p>
        ) : null}
        {done === false ? (
          <p role="alert">
            This link is not known. It may be incomplete: open it from the mail, or sign in and choose at{' '}
            <a href="/digest">Digest</a>.
          </p>
        ) : null}
      </div>
    </Layout>
  )
}
