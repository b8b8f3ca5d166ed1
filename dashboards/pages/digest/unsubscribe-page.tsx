import { SignInFrame } from '../sign-in/page.tsx'
import type { PageContext } from '../../page-context.ts'
import { t, rich, type Message } from '../../../language/translate.ts'

export type Unsubscribed = 'digest' | 'alerts' | 'reminders'

const questions = {
  digest: 'Stop the digest to {address}?',
  alerts: 'Stop the alerts to {address}?',
  reminders: 'Stop reminders to {address}?',
} as const satisfies Record<Unsubscribed, Message>
const answers: Record<Unsubscribed, Message> = {
  digest: 'You will no longer receive the digest. You can turn it on again under <a>Digest</a>.',
  alerts: 'You will no longer receive alerts. You can turn them on again under <a>Digest</a>.',
  reminders: 'Rollcall will no longer remind you by mail. Your manager can still write to you.',
}

type UnsubscribePageProps = {
  context: PageContext
  key: string
  of: Unsubscribed
  /** As much of it as the reader may be shown; `null`: the link is nobody's. */
  address: string | null
  isDone: boolean
}

export function UnsubscribePage({ context, key, of, address, isDone }: UnsubscribePageProps) {
  const query = new URLSearchParams({ key, ...(of !== 'digest' && { of }) }).toString()
  return (
    <SignInFrame context={context} title={isDone ? t('You are unsubscribed') : t('Unsubscribe')}>
      {address !== null && !isDone ? (
        <form method="post" action={`/digest/unsubscribe?${query}`}>
          <p>{t(questions[of], { address })}</p>
          <p>
            <button class="button primary">{t('Unsubscribe')}</button>
          </p>
        </form>
      ) : null}
      {isDone ? <p>{rich(answers[of], { a: (text) => <a href="/digest">{text}</a> })}</p> : null}
      {isDone && of === 'reminders' ? (
        <form method="post" action={`/digest/unsubscribe?${query}`}>
          <button class="button" name="again" value="true">
            {t('Turn reminders on again')}
          </button>
        </form>
      ) : null}
      {address === null ? (
        <p role="alert">
          {rich(
            'This link is not known. It may be incomplete: open it from the mail, or sign in and choose at <a>Digest</a>.',
            { a: (text) => <a href="/digest">{text}</a> },
          )}
        </p>
      ) : null}
    </SignInFrame>
  )
}
