import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'

/** A link or a token that was just made. Only its hash is kept, if anything. */
export function ShownOnce({ label, secret, children }: { label: string; secret: string; children?: Child }) {
  return (
    <section class="share-made" role="status" aria-label={label}>
      {children}
      <p class="share-link">
        <code id="made-link">{secret}</code>{' '}
        <button type="button" class="button needs-script" data-copy="made-link" hidden>
          {t('Copy')}
        </button>
      </p>
    </section>
  )
}
