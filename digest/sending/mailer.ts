/** Sends mail by SMTP, and tells the known outcome of each: accepted, refused, surely not sent, or unknown. */
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import pRetry from 'p-retry'
import { isAddress, type SmtpServer } from '../../services/config/values/address.ts'
import { isLoopback } from '../../services/runtime/http/known-hosts.ts'
import { createTurns } from '../../services/runtime/turns.ts'
import type { Outcome } from '../../services/records/once.ts'

export type Mail = {
  to: string
  /** An address for answers. Left out: the sender's. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** With its angle brackets. The same for every try of one mail. */
  messageId: string
  /** Left out: of a mail that comes only when somebody asks for it. */
  unsubscribeUrl?: string
  /** As in `en`. */
  language: string
}

/** `unknown`: the connection broke after the text had begun, so the server may have taken it. */
export type MailOutcome = Outcome

export type MailerOptions = {
  server: SmtpServer
  /** `name@host` or `Name <name@host>`. */
  from: string
  /** For the server to connect or to answer. Default 20 s. */
  timeoutMs?: number
  /** How often connecting is tried again at once. Default 2. */
  retries?: number
}

/** What is asked of it at the same time is done one after another: a connection carries one mail at a time. */
export type Mailer = {
  send(mail: Mail): Promise<MailOutcome>
  /** Ends the connection after the mails before; the next mail opens one. */
  rest(): void
}

export function createMailer({ server, from, timeoutMs = 20_000, retries = 2 }: MailerOptions): Mailer {
  let open: SMTPConnection | undefined
  const inTurn = createTurns()

  async function connect(): Promise<SMTPConnection> {
    if (open !== undefined) return open
    const connection = await openConnection(server, timeoutMs)
    // Ended by the server while nothing is sent: the next mail opens a new one.
    const forget = () => {
      if (open === connection) open = undefined
      connection.close()
    }
    connection.on('error', forget)
    connection.on('end', forget)
    return (open = connection)
  }

  async function send(mail: Mail): Promise<MailOutcome> {
    if (!isAddress(mail.to)) return { state: 'refused', detail: 'This is not an e-mail address.' }
    let connection: SMTPConnection
    try {
      const shouldRetry = ({ error }: { error: unknown }) => isPassing(error)
      connection = await pRetry(connect, { retries, minTimeout: 500, shouldRetry })
    } catch (error) {
      return { state: 'not_sent', detail: toDetail(error), isAway: true }
    }
    const message = await toMessage(mail, from)
    // Read only when the server is ready for the text: before that, nothing can have been accepted.
    let hasBegun = false
    const stream = Readable.from(
      (function* () {
        hasBegun = true
        yield message
      })(),
    )
    try {
      const envelope = { from: /<([^<>]+)>$/.exec(from)?.[1] ?? from, to: [mail.to], size: message.length }
      const response = await new Promise<string>((resolve, reject) => {
        connection.once('error', reject)
        connection.send(envelope, stream, (error, info) => {
          connection.removeListener('error', reject)
          if (error) reject(error)
          else resolve(info?.response ?? '')
        })
      })
      return { state: 'sent', detail: response.slice(0, 500) }
    } catch (error) {
      connection.close()
      open = undefined
      return toOutcome(error as SmtpError, hasBegun)
    }
  }

  return {
    send: (mail) => inTurn(() => send(mail)),
    rest() {
      void inTurn(async () => {
        open?.quit()
        open = undefined
      })
    },
  }
}

async function openConnection(server: SmtpServer, timeoutMs: number): Promise<SMTPConnection> {
  // A start does without its many files.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const { host, port, secure, user, password: pass = '' } = server
  const connection = new Connection({
    host,
    port,
    secure,
    // A password does not go over the network in clear text.
    requireTLS: user !== undefined && !secure && !isLoopback(host),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error | null) => (error ? reject(error) : resolve())
      connection.once('error', reject)
      connection.connect((error) => {
        if (error || user === undefined) end(error)
        else connection.login({ credentials: { user, pass } }, end)
      })
    })
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

type SmtpError = Error & {
  responseCode?: number | undefined
  command?: string | undefined
  code?: string | undefined
}

function toOutcome(error: SmtpError, hasBegun: boolean): MailOutcome {
  const detail = toDetail(error)
  const { responseCode, command } = error
  if (responseCode === undefined)
    return hasBegun ? { state: 'unknown', detail } : { state: 'not_sent', detail, isAway: true }
  const isOfThisMail = command === 'RCPT TO' || command === 'DATA'
  if (responseCode >= 500 && isOfThisMail) return { state: 'refused', detail }
  return { state: 'not_sent', detail, isAway: !isOfThisMail || responseCode === 421 }
}

/** A wrong password is not right a second later. */
function isPassing(error: unknown): boolean {
  const { responseCode, code } = error as SmtpError
  return code !== 'EAUTH' && code !== 'ETLS' && (responseCode === undefined || responseCode < 500)
}

function toDetail(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 500)
}

async function toMessage(
  { to, replyTo, subject, text, html, messageId, unsubscribeUrl, language }: Mail,
  from: string,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    from,
    // As an object: nothing in it is read as a second address.
    to: { address: to, name: '' },
    ...(replyTo !== undefined && isAddress(replyTo) && { replyTo: { address: replyTo, name: '' } }),
    subject,
    text,
    html,
    messageId,
    headers: {
      // Nobody wants answers of machines to machines.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
      ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
      // RFC 8058 allows one click over https only.
      ...(unsubscribeUrl?.startsWith('https:') === true && {
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
