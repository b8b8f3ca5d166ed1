/** The messages of a page beside its numbers: notices, sample data, whether it is complete, and that there is nothing. */
import { sayProblem } from '../../language/problems.ts'
import { rich, t } from '../../language/translate.ts'
import type { OutcomeProps, PageContext } from '../page-context.ts'
import { canOpen } from './access.tsx'
import { Hidden } from './field.tsx'
import { Icon } from './icon.tsx'
import { standingWords } from '../../reporting/words/standing-words.ts'
import type { Child } from 'hono/jsx'

export function Notices({ notices }: { notices: string[] }) {
  if (notices.length === 0) return null
  return (
    <ul class="notices">
      {notices.map((notice) => (
        <li>{notice}</li>
      ))}
    </ul>
  )
}

/** What a form did, and why it did nothing: the same on every page. Forms that succeed report by `flash.done`. */
export function Outcome({ says, undo, problem }: OutcomeProps) {
  return (
    <>
      {problem === undefined ? null : (
        <p role="alert" class="outcome-notice failed">
          <Icon name="alert" />
          <span>{typeof problem === 'string' ? problem : sayProblem(problem)}</span>
        </p>
      )}
      {says === undefined ? null : (
        <div role="status" class="outcome-notice">
          <Icon name="tick" />
          <span>{says}</span>
          {undo === undefined ? null : (
            <form method="post" action={undo.action}>
              <Hidden fields={Object.entries(undo.fields)} />
              <button class="plain">{t('Undo')}</button>
            </form>
          )}
        </div>
      )}
    </>
  )
}

export function SampleBanner() {
  return (
    <aside class="sample-banner" aria-label={t('Sample data')}>
      {rich('<strong>Sample data.</strong> These people and numbers are made up.', {
        strong: (text) => <strong>{text}</strong>,
      })}
    </aside>
  )
}

/** On every page, above its numbers, when they are not complete. */
export function StandingStrip({ context }: { context: PageContext }) {
  // Somebody who has not signed in sees no number either.
  if (context.visitor.role === null) return null
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

export function NoAssignments({ context, hasFilters }: { context: PageContext; hasFilters: boolean }) {
  return (
    <p class="empty">
      {hasFilters ? (
        rich('No assignment matches these filters. <a>Clear them</a> to see everything.', {
          a: (text) => <a href={context.path}>{text}</a>,
        })
      ) : (
        <>
          {context.sees === undefined
            ? t('No assignment of anyone who is still here has arrived yet.')
            : t('None of the people whose work you see has an assignment.')}{' '}
          <SetupLink context={context} />
        </>
      )}
    </p>
  )
}

/** The likely cause of having no numbers, for those who can look. */
export function SetupLink({ context }: { context: PageContext }) {
  return canOpen(context, '/setup') ? <a href="/setup">{t('Is data arriving?')}</a> : null
}

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
    <section class="shown-once" role="status" aria-label={label}>
      {children}
      <p class="shown-secret">
        <code id="made-link">{secret}</code> <CopyButton of="made-link" />
      </p>
    </section>
  )
}
