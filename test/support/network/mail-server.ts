/** A real mail server on a free port, which keeps accepted mails, read by a parser of mails. */
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = Email & { to: { address: string }[]; raw: string; envelopeTo: string[] }

export type MailServer = {
  url: string
  port: number
  /** In the order of acceptance. */
  mails: ReceivedMail[]
  close(): Promise<void>
}

export type MailServerOptions = Omit<SMTPServerOptions, 'onData'> & {
  /** Called when a text has come whole, before it is accepted; an error that it throws refuses the mail. */
  beforeAccept?: (mail: ReceivedMail) => void | Promise<void>
  port?: number
}

/** Without options it takes everything, without a login and without TLS. */
export async function openMailServer({
  beforeAccept,
  port = 0,
  ...options
}: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        void answer(Buffer.concat(chunks), to, callback)
      })
    },
  })

  async function answer(raw: Buffer, to: string[], callback: (refusal: Error | null) => void): Promise<void> {
    const refusal = await take(raw, to)
    callback(refusal)
  }

  /** Why it is refused; `null`: it is accepted. */
  async function take(raw: Buffer, envelopeTo: string[]): Promise<Error | null> {
    const parsed = await PostalMime.parse(raw)
    const mail = { ...parsed, raw: raw.toString('utf8'), envelopeTo } as ReceivedMail
    try {
      await beforeAccept?.(mail)
    } catch (error) {
      return error as Error
    }
    mails.push(mail)
    return null
  }

  // A connection that a test cuts is not a failure of the server.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const own = (server.server.address() as { port: number }).port
  return {
    url: `smtp://127.0.0.1:${own}`,
    port: own,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export function headerOf(mail: Email, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name.toLowerCase())?.value
}
