import { lookUp, rich, t } from '../../../language/translate.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { seesRounded } from '../../components/access.tsx'
import { ShownOnce } from '../../components/messages.tsx'
import { SharedFrame } from '../../components/html-page.tsx'
import { Listing } from '../../components/listing.tsx'
import type { Problem } from '../../../language/problems.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import type { AccessShare } from '../../../services/access/access-store.ts'
import { counted } from '../../../language/format.ts'
import { filterWords } from '../../scope/filter-words.ts'
import { href } from '../../scope/page-url.ts'
import { toShareable, type PageToKeep } from '../../components/shareable.ts'
import { Field } from '../../components/field.tsx'

export type SharePageProps = {
  context: PageContext
  /** The page to share; `null`: none in particular. */
  page: PageToKeep | null
  /** Live ones: of everybody for an owner, else the reader's own. */
  shares: AccessShare[]
  /** Names for the filters, as far as the reader may see them. */
  options?: Overview['options'] | undefined
  /** The longest life of a link; 0: nobody can share. */
  longestDays: number
  /** Whether the reader sees names, and so can show them. */
  mayName: boolean
  /** A link that was just made: shown this once. */
  address?: string
  problem?: Problem
}

const usualDays = 7

export function SharePage(props: SharePageProps) {
  const { context, page, longestDays, address, problem } = props
  return (
    <PlainPage context={context} title={t('Share a page')} problem={problem}>
      {address === undefined ? null : (
        <ShownOnce label={t('The new link')} secret={address}>
          <p>
            {rich('<strong>Copy this link now.</strong> It is shown only once.', {
              strong: (text) => <strong>{text}</strong>,
            })}
          </p>
        </ShownOnce>
      )}
      {longestDays === 0 ? (
        <p>{t('Sharing is switched off here. An administrator can allow it with DASHBOARD_SHARE_DAYS.')}</p>
      ) : address !== undefined ? null : page === null ? (
        <p class="quiet">
          {t('Open a page with the filters that you want, then your menu at the top, and “Share this page”.')}
        </p>
      ) : (
        <ShareForm {...props} page={page} />
      )}
      <LiveShares {...props} />
    </PlainPage>
  )
}

function ShareForm({ context, page, options, longestDays, mayName }: SharePageProps & { page: PageToKeep }) {
  const { path, params, shareable } = page
  const { moment } = shareable
  const instant = moment === undefined ? null : params.get(moment)
  return (
    <form method="post" action="/share" class="share-form">
      <input type="hidden" name="page" value={href(path, params)} />
      <p>
        <strong>{t(shareable.name)}</strong>: {filterWords(params, context.format, options)}
      </p>
      <p class="quiet">
        {t(
          'Anybody who has the link opens this one page without signing in, with these filters and nothing else. It never shows more than you may see: if your access changes, the link changes with it.',
        )}
      </p>
      {moment === undefined || (instant !== null && instant !== '') || seesRounded(context) ? null : (
        <fieldset class="choices">
          <legend>{t('Show')}</legend>
          <input type="hidden" name="moment_ms" value={String(context.format.now)} />
          <label class="check">
            <input type="radio" name="moment" value="now" checked /> {t('Live numbers')}
          </label>
          <label class="check">
            <input type="radio" name="moment" value="fixed" />{' '}
            {t('Numbers as of now, {moment}', {
              moment: context.format.instant(context.format.now),
            })}
          </label>
        </fieldset>
      )}
      {mayName ? (
        <label class="check">
          <input type="checkbox" name="names" value="yes" /> {t('With names and e-mails of people')}
        </label>
      ) : null}
      {shareable.files.length === 0 ? null : (
        <label class="check">
          <input type="checkbox" name="files" value="yes" /> {t('With its files (CSV, XLSX)')}
        </label>
      )}
      <Field
        label={t('Expires after (days)')}
        type="number"
        name="days"
        min={1}
        max={longestDays}
        value={String(Math.min(usualDays, longestDays))}
        required
      />
      <p>
        <button class="button primary">{t('Make a link')}</button>
      </p>
    </form>
  )
}

function LiveShares({ context, shares, options }: SharePageProps) {
  const { format, visitor } = context
  const isOwner = visitor.role === 'owner'
  const { instant } = format
  const logins = [...new Set(shares.map(({ login }) => login))]
  const title = isOwner ? t('Live links of everybody') : t('Your live links')
  return (
    <Panel id="links" title={title}>
      <Listing
        label={title}
        columns={[
          t('Page'),
          isOwner ? t('Made by') : null,
          t('Shows'),
          t('Made'),
          t('Ends'),
          t('Opened'),
          { read: t('Change') },
        ]}
        empty={t('There is no live link.')}
        cells={shares.map((share) => [
          <>
            <a href={href(share.path, new URLSearchParams(share.query))}>
              {lookUp(toShareable(share.path)?.name ?? share.path)}
            </a>
            <span class="share-filters">{filterWords(new URLSearchParams(share.query), format, options)}</span>
          </>,
          isOwner ? (share.login === '' ? t('without sign-in') : share.login) : null,
          [share.names ? t('names') : t('no names'), ...(share.files ? [t('files')] : [])].join(', '),
          instant(share.created_at_ms),
          instant(share.expires_at_ms),
          share.opened === 0
            ? t('never')
            : t('{times}, last {last}', {
                times: counted(format, share.opened, 'time'),
                last: instant(share.opened_at_ms),
              }),
          <form method="post" action="/share/revoke">
            <input type="hidden" name="id" value={share.id} />
            <button class="button">
              {rich('Revoke<hidden> the link of {made}</hidden>', {
                made: instant(share.created_at_ms),
                hidden: (text) => <span class="visually-hidden">{text}</span>,
              })}
            </button>
          </form>,
        ])}
      />
      {isOwner && shares.length > 1
        ? logins.map((login) => (
            <form method="post" action="/share/revoke" class="share-all">
              <input type="hidden" name="all_of" value={login} />
              <button class="button">
                {login === '' ? t('Revoke all made without sign-in') : t('Revoke all of {login}', { login })}
              </button>
            </form>
          ))
        : null}
    </Panel>
  )
}

/** `status`: 404 and 429 say the same; 500 and 503 are about the numbers and not about the link. */
export function NoSuchSharePage({ context, status }: { context: PageContext; status: number }) {
  const isBusy = status >= 500
  const title = isBusy ? t('The numbers are not available right now') : t('This link does not work')
  return (
    <SharedFrame context={context} title={title} sample={false}>
      <div class="problem">
        <h1>{title}</h1>
        <p>
          {isBusy
            ? t('Open the link again in a moment.')
            : t(
                'It may have expired, been revoked, or been cut off. Copy the whole link again, or ask the person who sent it for a new one.',
              )}
        </p>
      </div>
    </SharedFrame>
  )
}
