import { Layout } from '../../components/layout.tsx'
import { SharedFrame } from '../../components/shared-frame.tsx'
import { Listing } from '../../components/listing.tsx'
import type { PageContext } from '../../page-context.ts'
import type { AccessShare } from '../../../services/access/access-store.ts'
import { counted } from '../../text/format.ts'
import { filterWords } from '../../text/filter-words.ts'
import { href } from '../../url/page-url.ts'
import { raw } from 'hono/html'
import { toShareable, type PageToKeep } from '../../url/shareable.ts'

export type SharePageProps = {
  context: PageContext
  /** What to share; `null`: nothing in particular. */
  page: PageToKeep | null
  /** Live ones: of everybody for an owner, else the reader's own. */
  shares: AccessShare[]
  /** The longest life of a link; 0: nobody can share. */
  longestDays: number
  /** Whether the reader sees names, and so can show them. */
  mayName: boolean
  /** A link that was just made: shown this once. */
  made?: string
  problem?: string
}

const usualDays = 7

export function SharePage(props: SharePageProps) {
  const { context, page, longestDays, made, problem } = props
  return (
    <Layout context={context} title="Share" sample={false}>
      <div class="access share">
        <h1>Share a page</h1>
        {problem === undefined ? null : (
          <p role="alert" class="sign-in-problem">
            {problem}
          </p>
        )}
        {made === undefined ? null : <Made link={made} />}
        {longestDays === 0 ? (
          <p>Sharing is switched off here. An administrator can allow it with DASHBOARD_SHARE_DAYS.</p>
        ) : page === null ? (
          <p class="quiet">Open a page with the filters that you want, and choose “Share” there.</p>
        ) : made === undefined ? (
          <ShareForm {...props} page={page} />
        ) : null}
        <LiveShares {...props} />
      </div>
    </Layout>
  )
}

function Made({ link }: { link: string }) {
  return (
    <section class="share-made" role="status" aria-label="The new link">
      <p>
        <strong>Copy this link now.</strong> It is shown this once, because only its hash is kept.
      </p>
      <p class="share-link">
        <code id="made-link">{link}</code>{' '}
        <button type="button" class="button needs-script" data-copy="made-link" hidden>
          Copy
        </button>
      </p>
    </section>
  )
}

function ShareForm({ context, page, longestDays, mayName }: SharePageProps & { page: PageToKeep }) {
  const { path, params, shareable } = page
  const { moment } = shareable
  const given = moment === undefined ? null : params.get(moment)
  return (
    <form method="post" action="/share" class="share-form">
      <input type="hidden" name="page" value={href(path, params)} />
      <p>
        <strong>{shareable.name}</strong>: {filterWords(params, context.format)}
      </p>
      <p class="quiet">
        Whoever has the link opens this one page without signing in, with these filters and nothing else. It shows what
        you may see at that moment, and never more: when you lose people or your role, so does the link.
      </p>
      {moment === undefined || (given !== null && given !== '') ? null : (
        <fieldset class="choices">
          <legend>Which moment</legend>
          <label class="check">
            <input type="radio" name="moment" value="now" checked /> The moment at which it is opened
          </label>
          <label class="check">
            <input type="radio" name="moment" value="fixed" /> This moment,{' '}
            {context.format.instant(new Date(context.format.now).toISOString())}
          </label>
        </fieldset>
      )}
      {mayName ? (
        <label class="check">
          <input type="checkbox" name="names" value="yes" /> With names and e-mails of people
        </label>
      ) : null}
      {shareable.files.length === 0 ? null : (
        <label class="check">
          <input type="checkbox" name="files" value="yes" /> With its files (CSV, XLSX)
        </label>
      )}
      <label>
        Days until it ends
        <input
          type="number"
          name="days"
          min={1}
          max={longestDays}
          value={String(Math.min(usualDays, longestDays))}
          required
        />
      </label>
      <p>
        <button class="button primary">Make a link</button>
      </p>
    </form>
  )
}

function LiveShares({ context, shares }: SharePageProps) {
  const { format, visitor } = context
  const isOwner = visitor?.role === 'owner'
  const instant = (ms: number) => format.instant(new Date(ms).toISOString())
  const logins = [...new Set(shares.map(({ login }) => login))]
  return (
    <section aria-labelledby="links-title">
      <h2 id="links-title">{isOwner ? 'Live links of everybody' : 'Your live links'}</h2>
      <Listing
        labelledBy="links-title"
        columns={['Page', ...(isOwner ? ['Made by'] : []), 'Shows', 'Made', 'Ends', 'Opened', { read: 'Change' }]}
        empty="There is no live link."
        rows={shares.map((share) => (
          <tr>
            <th scope="row">
              <a href={href(share.path, new URLSearchParams(share.query))}>
                {toShareable(share.path)?.name ?? share.path}
              </a>
              <span class="share-filters">{filterWords(new URLSearchParams(share.query), format)}</span>
            </th>
            {isOwner ? <td>{share.login === '' ? 'without sign-in' : share.login}</td> : null}
            <td>{[share.names ? 'names' : 'no names', ...(share.files ? ['files'] : [])].join(', ')}</td>
            <td>{instant(share.created_at_ms)}</td>
            <td>{instant(share.expires_at_ms)}</td>
            <td>
              {share.opened === 0
                ? 'never'
                : `${counted(format, share.opened, 'time')}, last ${instant(share.opened_at_ms)}`}
            </td>
            <td>
              <form method="post" action="/share/revoke">
                <input type="hidden" name="id" value={share.id} />
                <button class="button">
                  Revoke<span class="visually-hidden"> the link of {instant(share.created_at_ms)}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      />
      {isOwner && shares.length > 1
        ? logins.map((login) => (
            <form method="post" action="/share/revoke" class="share-all">
              <input type="hidden" name="all_of" value={login} />
              <button class="button">Revoke all {login === '' ? 'made without sign-in' : `of ${login}`}</button>
            </form>
          ))
        : null}
    </section>
  )
}

/** `status`: 404 and 429 say the same; 500 and 503 are about the numbers and not about the link. */
export function NoSuchSharePage({ context, status }: { context: PageContext; status: number }) {
  const isBusy = status >= 500
  const title = isBusy ? 'The numbers are not available right now' : 'This link opens nothing'
  return (
    <>
      {raw('<!doctype html>')}
      <SharedFrame context={context} title={title} sample={false}>
        <div class="problem">
          <h1>{title}</h1>
          <p>
            {isBusy
              ? 'Open the link again in a moment.'
              : 'It may be over, taken back, or cut off on its way. Copy the whole link again, or ask the person who sent it for a new one.'}
          </p>
        </div>
      </SharedFrame>
    </>
  )
}
