/** For owners: who gets a digest, the sent mails, and their outcome. */
import { Listing } from '../../components/listing.tsx'
import { Panel } from '../../components/section.tsx'
import type { PageContext } from '../../page-context.ts'
import { isLost, type DigestPages } from '../../../digest/open-digest.ts'
import type { Member } from '../../../digest/members.ts'
import { toAlertDetail, toAlertSubject } from '../../../digest/content/alerts.ts'
import type { AlertChange, Claim, SendKind, SendState } from '../../../digest/digest-store.ts'
import { lookUp, t, type Message } from '../../../language/translate.ts'

export type OwnerView = { members: Member[]; sends: Claim[]; alerts: AlertChange[] }

type Props = {
  context: PageContext
  digest: Pick<DigestPages, 'canMail' | 'hasAlertChannel'>
  owner: OwnerView
}

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
    <Panel id="members" title={t('Who gets it')} className="figure">
      <p class="quiet">
        {t('Managers who are entered at Access or have signed in, and owners and analysts who asked for it.')}
      </p>
      <Listing
        label={t('Who gets it')}
        columns={[t('Login'), t('Role'), t('Address'), t('When'), { read: t('Look') }]}
        empty={t('Nobody yet.')}
        cells={members.map((member) => [
          member.login,
          lookUp(member.role),
          member.address === '' ? t('none: nothing is sent') : member.address,
          <>
            {toWhen(member)}
            {member.wasHere || member.schedule === null ? '' : `. ${t('Begins after the first sign-in.')}`}
          </>,
          <a href={`/digest/preview?${new URLSearchParams({ login: member.login }).toString()}`}>
            {t('Preview')}
            <span class="visually-hidden"> {t('for {login}', { login: member.login })}</span>
          </a>,
        ])}
      />
    </Panel>
  )
}

const onDays: readonly Message[] = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
]

function toWhen({ schedule }: Member): string {
  if (schedule === null) return t('never')
  const { frequency, weekday, hour, timeZone } = schedule
  const when = frequency === 'daily' ? t('daily') : t(onDays[weekday - 1] ?? 'Mondays')
  return t('{when} from {hour}:00, {timeZone}', { when, hour: String(hour).padStart(2, '0'), timeZone })
}

const stateWords: Record<SendState, Message> = {
  intended: 'being sent',
  sent: 'sent',
  skipped: 'not needed',
  refused: 'refused, not tried again',
  unknown: 'unknown: it may have gone, and is not sent again',
  not_sent: 'not sent, tried again',
  withdrawn: 'left to another process',
}

const kindWords: Record<SendKind, Message> = {
  digest: 'digest',
  digest_channel: 'digest, channel',
  alert: 'alert',
  alert_channel: 'alert, channel',
  reminder: 'reminder',
  reminder_channel: 'reminders, channel',
}

function toResult(send: Claim, now: number): string {
  const state = t(isLost(send, now) ? stateWords.unknown : stateWords[send.last_state])
  const detail = lookUp(send.last_detail)
  if (detail === '') return state
  // It says the state itself.
  return send.last_detail.startsWith('Not sent: ') ? detail : `${state}. ${detail}`
}

function Sends({ context: { format }, sends }: { context: PageContext; sends: Claim[] }) {
  return (
    <Panel id="sends" title={t('What was sent')} className="figure">
      <Listing
        label={t('What was sent')}
        columns={[t('When'), t('What'), t('To'), t('Of'), t('Result')]}
        empty={t('Nothing yet.')}
        rows={sends.map((send) => (
          <tr>
            <td>{format.instant(send.at_ms)}</td>
            <td>{t(kindWords[send.kind])}</td>
            <td>{send.last_address === '' ? send.recipient : send.last_address}</td>
            <td>{send.period}</td>
            <td class="audit-detail">
              {send.last_state === 'refused' ? (
                <span class="outcome refused">{toResult(send, format.now)}</span>
              ) : (
                toResult(send, format.now)
              )}
            </td>
          </tr>
        ))}
      />
    </Panel>
  )
}

type AlertsProps = { context: PageContext; alerts: AlertChange[]; digest: Props['digest'] }

function Alerts({ context: { format }, alerts, digest }: AlertsProps) {
  return (
    <Panel id="alerts" title={t('Alerts')} className="figure">
      <p class="quiet">
        {digest.hasAlertChannel || digest.canMail
          ? t('Told when something begins and when it ends, after it held for five minutes.')
          : t('Alerts are off. Set SMTP_URL or ALERT_CHANNEL_URL.')}
      </p>
      <ul>
        {alerts.map((change) => (
          <li>
            {format.instant(change.atMs)}: {toAlertSubject(change)}. {toAlertDetail(change)}
          </li>
        ))}
      </ul>
      {alerts.length === 0 ? <p>{t('None yet.')}</p> : null}
    </Panel>
  )
}
