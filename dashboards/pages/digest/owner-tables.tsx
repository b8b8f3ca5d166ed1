/** For owners: who gets a digest, what was sent, and what became of it. */
import { Listing } from '../../components/listing.tsx'
import type { PageContext } from '../../page-context.ts'
import { isLost } from '../../digest/open-digest.ts'
import type { Member } from '../../digest/members.ts'
import { wordsOf } from '../../digest/words.ts'
import type { AlertChange, Claim, SendKind, SendState } from '../../../services/digest/digest-store.ts'
import { weekdays } from '../../../services/digest/schedule.ts'
import type { DigestPageProps, OwnerView } from './digest-page.tsx'

type Props = { context: PageContext; digest: DigestPageProps['digest']; owner: OwnerView }

export function OwnerTables({ context, digest, owner }: Props) {
  const { members, sends, alerts } = owner
  return (
    <>
      <Members members={members} />
      <Sends context={context} sends={sends} />
      <Alerts context={context} alerts={alerts} digest={digest} />
    </>
  )
}

function Members({ members }: { members: Member[] }) {
  return (
    <section aria-labelledby="members-title">
      <h2 id="members-title">Who gets it</h2>
      <p class="quiet">
        Managers who are entered at Access or have signed in, and owners and analysts who asked for it.
      </p>
      <Listing
        labelledBy="members-title"
        columns={['Login', 'Role', 'Address', 'When', { read: 'Look' }]}
        empty="Nobody yet."
        rows={members.map((member) => (
          <tr>
            <th scope="row">{member.login}</th>
            <td>{member.role}</td>
            <td>{member.address === '' ? 'none: nothing is sent' : member.address}</td>
            <td>{toWhen(member)}</td>
            <td>
              <a href={`/digest/preview?${new URLSearchParams({ login: member.login }).toString()}`}>
                Preview<span class="visually-hidden"> for {member.login}</span>
              </a>
            </td>
          </tr>
        ))}
      />
    </section>
  )
}

function toWhen({ schedule }: Member): string {
  if (schedule === null) return 'never'
  const { frequency, weekday, hour, timeZone } = schedule
  const day = weekdays[weekday - 1] ?? ''
  const when = frequency === 'daily' ? 'daily' : `${day.charAt(0).toUpperCase()}${day.slice(1)}s`
  return `${when} from ${String(hour).padStart(2, '0')}:00, ${timeZone}`
}

const stateWords: Record<SendState, string> = {
  intended: 'being sent',
  sent: 'sent',
  skipped: 'not needed',
  refused: 'refused, not tried again',
  unknown: 'unknown: it may have gone, and is not sent again',
  not_sent: 'not sent, tried again',
  withdrawn: 'left to another process',
}

const kindWords: Record<SendKind, string> = {
  digest: 'digest',
  digest_channel: 'digest, channel',
  alert: 'alert',
  alert_channel: 'alert, channel',
}

function Sends({ context: { format }, sends }: { context: PageContext; sends: Claim[] }) {
  return (
    <section aria-labelledby="sends-title">
      <h2 id="sends-title">What was sent</h2>
      <Listing
        labelledBy="sends-title"
        columns={['When', 'What', 'To', 'Of', 'What became of it']}
        empty="Nothing yet."
        rows={sends.map((send) => (
          <tr>
            <td>{format.instant(new Date(send.at_ms).toISOString())}</td>
            <td>{kindWords[send.kind]}</td>
            <td>{send.last_address === '' ? send.recipient : send.last_address}</td>
            <td>{send.period}</td>
            <td class="audit-detail">
              {isLost(send, format.now) ? stateWords.unknown : stateWords[send.last_state]}
              {send.last_detail === '' ? '' : `. ${send.last_detail}`}
            </td>
          </tr>
        ))}
      />
    </section>
  )
}

type AlertsProps = { context: PageContext; alerts: AlertChange[]; digest: Props['digest'] }

function Alerts({ context: { format }, alerts, digest }: AlertsProps) {
  const words = wordsOf(digest.defaults.language)
  return (
    <section aria-labelledby="alerts-title">
      <h2 id="alerts-title">Alerts</h2>
      <p class="quiet">
        {digest.hasAlertChannel || digest.canMail
          ? 'Told when something begins and when it ends, after it held for five minutes.'
          : 'Nobody is told: set SMTP_URL or ALERT_CHANNEL_URL.'}
      </p>
      <ul>
        {alerts.map((change) => (
          <li>
            {format.instant(new Date(change.atMs).toISOString())}:{' '}
            {change.state === 'started'
              ? words.alertStarted(words.alerts[change.alert])
              : words.alertEnded(words.alerts[change.alert])}
            . {change.detail}
          </li>
        ))}
      </ul>
      {alerts.length === 0 ? <p>None yet.</p> : null}
    </section>
  )
}
