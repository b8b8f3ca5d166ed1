import type { PageContext } from '../page-context.ts'
import { canOpen } from './access.tsx'
import { standingWords } from '../../reporting/words/standing-words.ts'
import { t } from '../../language/translate.ts'

/** On every page, above its numbers, when they are not complete. */
export function StandingStrip({ context }: { context: PageContext }) {
  // Somebody who has not signed in sees no number either.
  if (context.visitor?.role === null) return null
  const words = context.standing === null ? null : standingWords(context.standing, context.format)
  if (words === null) return null
  return (
    <aside class="standing-strip" aria-label={t('How complete the numbers are')}>
      <p>
        {words} {canOpen(context, '/health') ? <a href="/health">{t('See Health')}</a> : null}
      </p>
    </aside>
  )
}
