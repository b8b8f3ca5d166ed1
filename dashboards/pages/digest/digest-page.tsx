import { Layout } from '../../components/layout.tsx'
import type { Member } from '../../digest/members.ts'
import type { DigestPages } from '../../digest/open-digest.ts'
import type { PageContext } from '../../page-context.ts'
import type { AlertChange, Claim, Subscription } from '../../../services/digest/digest-store.ts'
import { toNextDue, weekdays } from '../../../services/digest/schedule.ts'
import { OwnerTables } from './owner-tables.tsx'

export type OwnerView = { members: Member[]; sends: Claim[]; alerts: AlertChange[] }

export type DigestPageProps = {
  context: PageContext
  digest: Pick<DigestPages, 'canMail' | 'defaults' | 'hasChannel' | 'hasAlertChannel'>
  /** The reader, where she can have one. */
  own: Member | undefined
  /** `null`: nobody signs in, or a token asks. */
  settings: Subscription | null
  /** `null`: the reader is no owner. */
  owner: OwnerView | null
  problem?: string
  says?: string
}

export function DigestPage(props: DigestPageProps) {
  const { context, digest, own, settings, owner, problem, says } = props
  return (
    <Layout context={context} title="Digest" sample={false}>
      <div class="access">
        <h1>Digest</h1>
        <p class="quiet">
          A mail about your people: who is newly late, what waits for a grade, and what changed since the last one.
        </p>
        {problem === undefined ? null : (
          <p role="alert" class="sign-in-problem">
            {problem}
          </p>
        )}
        {says === undefined ? null : <p role="status">{says}</p>}
        {digest.canMail ? null : <NoMail isOwner={owner !== null} />}
        <p>
          <a class="button" href="/digest/preview">
            Preview
          </a>{' '}
          <a href="/digest/preview?part=text">as text</a>
        </p>
        {settings === null ? (
          <p class="quiet">
            A digest goes to people who sign in. Nobody is signed in here, so there is nothing to choose.
          </p>
        ) : (
          <Choices {...props} settings={settings} own={own} />
        )}
        {owner === null ? null : <OwnerTables context={context} digest={digest} owner={owner} />}
      </div>
    </Layout>
  )
}

function NoMail({ isOwner }: { isOwner: boolean }) {
  return isOwner ? (
    <p class="sign-in-problem">
      No mail is sent: set <code>SMTP_URL</code>, <code>MAIL_FROM</code> and <code>DASHBOARD_URL</code>.
    </p>
  ) : (
    <p class="sign-in-problem">No mail is sent yet. An owner of this Rollcall can set a mail server.</p>
  )
}

type ChoicesProps = DigestPageProps & { settings: Subscription }

function Choices({ context: { format }, digest, own, settings, owner }: ChoicesProps) {
  const { defaults } = digest
  const next = own?.schedule == null ? undefined : toNextDue(own.schedule, format.now)
  const asConfigured = own?.role === 'manager' ? `as configured (${defaults.frequency})` : 'not chosen (none)'
  return (
    <section aria-labelledby="own-title">
      <h2 id="own-title">Yours</h2>
      <p>
        {own === undefined || own.address === ''
          ? 'Your sign-in says no e-mail address, so it cannot be sent to you.'
          : `It goes to ${own.address}.`}{' '}
        {next === undefined
          ? 'None is planned.'
          : `The next one is due ${format.instant(new Date(next).toISOString())} ${format.timeZone}.`}
      </p>
      <form method="post" action="/digest" class="access-form">
        <label>
          How often
          <select name="frequency">
            {(
              [
                ['', asConfigured],
                ['weekly', 'weekly'],
                ['daily', 'daily'],
                ['off', 'never'],
              ] as const
            ).map(([value, name]) => (
              <option value={value} selected={settings.frequency === value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Day, of a weekly one
          <select name="weekday">
            {weekdays.map((name, index) => (
              <option value={index + 1} selected={settings.weekday === index + 1}>
                {name.charAt(0).toUpperCase() + name.slice(1)}
              </option>
            ))}
          </select>
        </label>
        <label>
          From the hour
          <input name="hour" type="number" min={0} max={23} value={settings.hour} required />
        </label>
        <label>
          Time zone
          <input
            name="time_zone"
            value={settings.time_zone}
            maxlength={100}
            autocomplete="off"
            placeholder={defaults.timeZone}
          />
        </label>
        {owner === null ? null : (
          <label class="check">
            <input type="checkbox" name="alerts" value="on" checked={settings.alerts} /> Alerts of Health, when
            something begins to be wrong and when it ends
          </label>
        )}
        <button class="button primary">Save</button>
      </form>
      {digest.canMail && own !== undefined && own.address !== '' ? (
        <form method="post" action="/digest/test" class="access-form">
          <button class="button">Send me one now</button>
        </form>
      ) : null}
    </section>
  )
}
