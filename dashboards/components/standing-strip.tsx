import type { PageContext } from '../page-context.ts'
import { standingWords } from '../text/standing-words.ts'
import { t } from '../language/translate.ts'

/** On every page, above its numbers, when they are not complete. */
export function StandingStrip({ context }: { context: PageContext }) {
  const words = context.standing === null ? null : standingWords(context.standing, context.format)
  if (words === null) return null
  return (
    <aside class="standing-strip" aria-label={t('How complete the numbers are')}>
      <p>
        {words} <a href="/health">{t('See Health')}</a>
      </p>
    </aside>
  )
}
