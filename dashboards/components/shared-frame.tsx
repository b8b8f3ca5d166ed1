import type { Child } from 'hono/jsx'
import type { Visitor } from '../../services/access/visitor.ts'
import type { PageContext } from '../page-context.ts'
import { lookUp, rich, t } from '../../language/translate.ts'
import { Foot, HtmlPage } from './html-page.tsx'
import { SampleBanner } from './messages.tsx'

type SharedFrameProps = {
  context: PageContext
  title: string
  sample: boolean
  /** Left out: there is nothing behind the link. */
  share?: NonNullable<Visitor['share']>
  children?: Child
}

/** The frame of a page that somebody shared: its name, until when it opens, and its files. Nothing leads elsewhere. */
export function SharedFrame({ context, title, sample, share, children }: SharedFrameProps) {
  return (
    <HtmlPage
      context={context}
      title={title}
      theme="auto"
      robots="noindex, nofollow"
      meta={<meta name="referrer" content="no-referrer" />}
      attributes={{ class: 'shared' }}
    >
      {sample ? <SampleBanner /> : null}
      {share === undefined ? null : <ShareHead context={context} share={share} />}
      <main id="content" tabindex={-1}>
        {children}
      </main>
      <Foot context={context} />
    </HtmlPage>
  )
}

function ShareHead({ context: { format }, share }: { context: PageContext; share: NonNullable<Visitor['share']> }) {
  return (
    <header class="shared-head">
      <p>
        {rich(
          '<strong>Shared with you.</strong> One page of Rollcall, to read. The link opens until {until}. Anybody who has it can open it.',
          {
            strong: (text) => <strong>{text}</strong>,
            until: format.instant(share.expiresAtMs),
          },
        )}
      </p>
      {share.files.length === 0 ? null : (
        <ul class="shared-files" aria-label={t('Files')}>
          {share.files.map(({ name, href }) => (
            <li>
              <a href={href} download>
                {lookUp(name)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}
