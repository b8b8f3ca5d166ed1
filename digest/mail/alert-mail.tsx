/** An alert as a mail, and as a message to a channel. */
import type { AlertChange } from '../digest-store.ts'
import type { Format } from '../../language/format.ts'
import type { ChannelMessage } from '../channel.ts'
import { Go, MailFrame, MailLink, Quiet, Text, Title } from './mail-frame.tsx'
import type { DigestWords } from '../content/words.ts'

export type AlertView = {
  change: AlertChange
  words: DigestWords
  format: Format
  site: string
  unsubscribeUrl: string
}

export function toAlertSubject({ change, words }: Pick<AlertView, 'change' | 'words'>): string {
  const what = words.alert(change.alert)
  return change.state === 'started' ? words.alertStarted(what) : words.alertEnded(what)
}

/** The finding, in the language of the mail; English where it was noticed before there were others. */
export function toAlertDetail({ change, words }: Pick<AlertView, 'change' | 'words'>): string {
  return change.words[words.as.language] ?? change.words.en
}

export function toAlertText(view: AlertView): string {
  const { change, words, format, site, unsubscribeUrl } = view
  return [
    toAlertSubject(view),
    toAlertDetail(view),
    words.alertAt(format.instant(new Date(change.atMs).toISOString()), format.timeZone),
    '',
    `${words.alertOpen}: ${site}/health`,
    '',
    words.whyAlert(site),
    `${words.unsubscribe}: ${unsubscribeUrl}`,
    '',
  ].join('\n')
}

export function toAlertMessage(view: Pick<AlertView, 'change' | 'words' | 'site'>): ChannelMessage {
  return {
    title: `${toAlertSubject(view)}.`,
    body: [{ text: toAlertDetail(view) }],
    link: { text: view.words.alertOpen, href: `${view.site}/health` },
  }
}

export function AlertMail({ view, language }: { view: AlertView; language: string }) {
  const { change, words, format, site, unsubscribeUrl } = view
  return (
    <MailFrame title={toAlertSubject(view)} language={language}>
      <Title>{toAlertSubject(view)}</Title>
      <Text>{toAlertDetail(view)}</Text>
      <Quiet>{words.alertAt(format.instant(new Date(change.atMs).toISOString()), format.timeZone)}</Quiet>
      <Go href={`${site}/health`}>{words.alertOpen}</Go>
      <Quiet>
        {words.whyAlert(site)} <MailLink href={unsubscribeUrl}>{words.unsubscribe}</MailLink>
      </Quiet>
    </MailFrame>
  )
}
