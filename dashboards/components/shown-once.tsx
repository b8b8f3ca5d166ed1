import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'

/** Copies the text of the element with this id; shown where a script runs. */
export function CopyButton({ of }: { of: string }) {
  return (
    <button type="button" class="button needs-script" data-copy={of} hidden>
      {t('Copy')}
    </button>
  )
}

/** A link or a token that was just made. Only its hash is kept, if anything. */
export function ShownOnce({ label, secret, children }: { label: string; secret: string; children?: Child }) {
  return (
    <section class="share-made" role="status" aria-label={label}>
      {children}
      <p class="share-link">
        <code id="made-link">{secret}</code> <CopyButton of="made-link" />
      </p>
    </section>
  )
}
