/** An alert as a mail, and as a message to a channel, in the language that is read. */
import type { AlertChange, AlertName } from '../digest-store.ts'
import { currentReading } from '../../language/language.ts'
import { t, type Message } from '../../language/translate.ts'
import type { Format } from '../../language/format.ts'
import type { ChannelMessage } from '../channel.ts'
import { Go, MailFrame, MailLink, Quiet, Text, Title } from './mail-frame.tsx'

const alertWords: Record<AlertName, Message> = {
  stall: 'deliveries are not being stored',
  silence: 'no deliveries arrive',
  ledger: 'deliveries are not accounted for',
  failed_events: 'deliveries failed',
  times: 'times are no times of today',
}

export type AlertView = { change: AlertChange; format: Format; site: string; unsubscribeUrl: string }

export function toAlertSubject({ alert, state }: AlertChange): string {
  const what = t(alertWords[alert])
  return state === 'started' ? t('Look: {what}', { what }) : t('Over: {what}', { what })
}

/** The finding; English where it was noticed before there were other languages. */
export function toAlertDetail({ words }: AlertChange): string {
  return words[currentReading().language] ?? words.en
}

function toNoticed({ change, format }: AlertView): string {
  return t('Noticed {when}, {zone}.', { when: format.instant(change.atMs), zone: format.timeZone })
}

export function toAlertText(view: AlertView): string {
  const { change, site, unsubscribeUrl } = view
  return [
    toAlertSubject(change),
    toAlertDetail(change),
    toNoticed(view),
    '',
    `${t('Open Health')}: ${site}/health`,
    '',
    t('You get this because you are an owner of {site}.', { site }),
    `${t('Unsubscribe')}: ${unsubscribeUrl}`,
    '',
  ].join('\n')
}

export function toAlertMessage(change: AlertChange, site: string): ChannelMessage {
  return {
    title: `${toAlertSubject(change)}.`,
    body: [{ text: toAlertDetail(change) }],
    link: { text: t('Open Health'), href: `${site}/health` },
  }
}

export function AlertMail({ view }: { view: AlertView }) {
  const { change, site, unsubscribeUrl } = view
  return (
    <MailFrame title={toAlertSubject(change)}>
      <Title>{toAlertSubject(change)}</Title>
      <Text>{toAlertDetail(change)}</Text>
      <Quiet>{toNoticed(view)}</Quiet>
      <Go href={`${site}/health`}>{t('Open Health')}</Go>
      <Quiet>
        {t('You get this because you are an owner of {site}.', { site })}{' '}
        <MailLink href={unsubscribeUrl}>{t('Unsubscribe')}</MailLink>
      </Quiet>
    </MailFrame>
  )
}
