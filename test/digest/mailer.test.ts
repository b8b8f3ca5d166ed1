import { connect, createServer, type Server, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { isAddress } from '../../services/config/values/address.ts'
import { createMailer, type Mail } from '../../digest/sending/mailer.ts'
import { certificate } from '../support/network/certificate.ts'
import {
  headerOf,
  openMailServer,
  type MailServer,
  type MailServerOptions,
} from '../support/network/mail-server.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'

async function open(options?: MailServerOptions): Promise<MailServer> {
  const server = await openMailServer(options)
  onTestFinished(() => server.close())
  return server
}

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Your people: 3 became overdue',
  text: 'Hello,\n.\nthis is a line of one dot.\n',
  html: '<p>Hello</p>',
  messageId: '<one@rollcall.example.com>',
  unsubscribeUrl: 'https://rollcall.example.com/digest/unsubscribe?key=abc',
  language: 'en',
}

function mailerTo(port: number, more: { user?: string; password?: string } = {}) {
  const server = { host: '127.0.0.1', port, secure: false, ...more }
  const mailer = createMailer({
    server,
    from: 'Rollcall <rollcall@example.com>',
    retries: 0,
    timeoutMs: 5_000,
  })
  onTestFinished(() => Promise.resolve(mailer.rest()))
  return mailer
}

test('sends a text and an HTML part, with what programs need to unsubscribe in one click', async () => {
  const server = await open()
  const mailer = mailerTo(server.port)
  expect(await mailer.send(mail)).toMatchObject({ state: 'sent' })
  const [got] = server.mails
  expect(got).toMatchObject({
    subject: mail.subject,
    messageId: mail.messageId,
    from: { address: 'rollcall@example.com', name: 'Rollcall' },
  })
  expect(got?.text?.trimEnd()).toBe(mail.text.trimEnd())
  expect(got?.html).toContain(mail.html)
  const header = (name: string) => got && headerOf(got, name)
  expect(header('List-Unsubscribe')).toBe(`<${mail.unsubscribeUrl}>`)
  expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(header('Auto-Submitted')).toBe('auto-generated')
})

test('promises one click over https only', async () => {
  const server = await open()
  await mailerTo(server.port).send({
    ...mail,
    unsubscribeUrl: 'http://127.0.0.1:3000/digest/unsubscribe?key=abc',
  })
  expect(headerOf(server.mails[0] as never, 'List-Unsubscribe-Post')).toBeUndefined()
})

test('sends many over one connection', async () => {
  let connections = 0
  const server = await open({
    onConnect: (_session, callback) => {
      connections++
      callback()
    },
  })
  const mailer = mailerTo(server.port)
  for (let index = 0; index < 5; index++) expect(await mailer.send(mail)).toMatchObject({ state: 'sent' })
  expect([server.mails.length, connections]).toEqual([5, 1])
})

// A server that looks the sender up takes a while. Without PIPELINING the mailer waits after each command.
describe.each([false, true])('while a mail goes, PIPELINING hidden: %s', (hidePIPELINING) => {
  async function openSlow() {
    let begun = 0
    const onMailFrom: MailServerOptions['onMailFrom'] = (_address, _session, callback) => {
      begun++
      setTimeout(callback, 100)
    }
    const server = await open({ hidePIPELINING, onMailFrom })
    const mailer = mailerTo(server.port)
    const first = mailer.send(mail)
    await until(() => Promise.resolve(begun === 1))
    return { server, mailer, first }
  }

  test('another one waits for it, and each goes to its own address', async () => {
    const { server, mailer, first } = await openSlow()
    const second = mailer.send({ ...mail, to: 'boss@example.com', subject: 'Yours' })
    expect([await first, await second]).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    expect(server.mails.map(({ envelopeTo, subject }) => [...envelopeTo, subject])).toEqual([
      [mail.to, mail.subject],
      ['boss@example.com', 'Yours'],
    ])
  })

  test('a rest waits for it', async () => {
    const { server, mailer, first } = await openSlow()
    mailer.rest()
    expect([await first, await mailer.send(mail)]).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    expect(server.mails.length).toBe(2)
  })
})

describe('hostile values', () => {
  const hostile = [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    '"ada eve"@example.com',
    'Ada <ada@example.com>',
    'ada@example.com>',
    'ada\u0000@example.com',
    'ada\u202e@example.com',
    'ada@',
    '',
  ]
  test.each(hostile)('%j is no address, and nothing goes', async (to) => {
    const server = await open()
    expect(isAddress(to)).toBe(false)
    expect(await mailerTo(server.port).send({ ...mail, to })).toMatchObject({ state: 'refused' })
    expect(server.mails).toEqual([])
  })

  test('a subject with line ends adds no header', async () => {
    const server = await open()
    const subject = 'A\r\nBcc: eve@example.com\r\n\r\nbody "quoted", Ünïcode 名前'
    await mailerTo(server.port).send({ ...mail, subject })
    const [got] = server.mails
    expect(got?.envelopeTo).toEqual(['ada@example.com'])
    expect(got?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(got?.subject).toContain('Ünïcode 名前')
  })

  test('letters beyond ASCII are in an address as given', () => {
    expect(isAddress('ådä+training@exämple.com')).toBe(true)
  })
})

describe('what is known of a mail that did not go', () => {
  test('a server that is not there: not sent, and neither would the next be', async () => {
    const [port = 0] = await findFreePorts(1)
    expect(await mailerTo(port).send(mail)).toMatchObject({ state: 'not_sent', isAway: true })
  })

  test('a wrong password: not sent, and no password goes over a line in clear text', async () => {
    const seen: string[] = []
    const server = await open({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (auth, _session, callback) => {
        seen.push(auth.password ?? '')
        callback(null, { user: auth.password === 'right' ? 1 : undefined })
      },
    })
    const refused = await mailerTo(server.port, { user: 'ada', password: 'wrong' }).send(mail)
    expect(refused).toMatchObject({ state: 'not_sent', isAway: true })
    expect(await mailerTo(server.port, { user: 'ada', password: 'right' }).send(mail)).toMatchObject({
      state: 'sent',
    })
    // Loopback is this machine. Anywhere else TLS is needed before.
    expect(seen).toEqual(['wrong', 'right'])
  })

  test('an address that the server refuses: refused for good, and the next one goes', async () => {
    const server = await open({
      onRcptTo: ({ address }, _session, callback) =>
        callback(
          address.startsWith('gone')
            ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
            : null,
        ),
    })
    const mailer = mailerTo(server.port)
    const outcome = await mailer.send({ ...mail, to: 'gone@example.com' })
    expect(outcome).toMatchObject({ state: 'refused', detail: expect.stringContaining('No such mailbox') })
    expect(await mailer.send(mail)).toMatchObject({ state: 'sent' })
  })

  test('"come back later": not sent, and only this one', async () => {
    const server = await open({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error('Greylisted'), { responseCode: 451 })),
    })
    expect(await mailerTo(server.port).send(mail)).toMatchObject({ state: 'not_sent', isAway: false })
  })

  test('a text that the server refuses after reading it: refused', async () => {
    const server = await open({
      beforeAccept: () => {
        throw Object.assign(new Error('Too large'), { responseCode: 552 })
      },
    })
    expect(await mailerTo(server.port).send(mail)).toMatchObject({ state: 'refused' })
  })

  test('a connection that is cut while the text goes, or before the answer: unknown', async () => {
    const server = await open()
    const proxy = await openCutting(server.port, 'end of the text')
    expect(await mailerTo(proxy).send(mail)).toMatchObject({ state: 'unknown' })
  })

  test('a connection that is cut before the text: not sent', async () => {
    const server = await open()
    const proxy = await openCutting(server.port, 'the recipient')
    expect(await mailerTo(proxy).send(mail)).toMatchObject({ state: 'not_sent', isAway: true })
    expect(server.mails).toEqual([])
  })
})

/** Between mailer and server; cuts both when it sees these words of the client. */
async function openCutting(port: number, at: 'end of the text' | 'the recipient'): Promise<number> {
  const mark = at === 'the recipient' ? /RCPT TO/ : /\r\n\.\r\n$/
  const sockets: Socket[] = []
  const proxy: Server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    sockets.push(client, target)
    for (const socket of [client, target]) socket.on('error', () => undefined)
    let said = ''
    client.on('data', (chunk) => {
      said += chunk.toString('latin1')
      if (mark.test(said)) for (const socket of [client, target]) socket.destroy()
      else target.write(chunk)
    })
    target.on('data', (chunk) => client.write(chunk))
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  })
  return (proxy.address() as { port: number }).port
}

describe('with a password', () => {
  const trusted = getCACertificates()
  beforeEach(() => setDefaultCACertificates([...trusted, certificate.cert]))
  afterEach(() => setDefaultCACertificates(trusted))

  /** A server with a login, and its record: passwords, and whether the line was encrypted when the mail came. */
  async function openWithLogin(options: MailServerOptions = {}) {
    const passwords: string[] = []
    const encrypted: boolean[] = []
    const server = await open({
      ...certificate,
      authOptional: false,
      onAuth: (auth, _session, callback) => {
        passwords.push(auth.password ?? '')
        callback(null, { user: 1 })
      },
      onMailFrom: (_address, session, callback) => {
        encrypted.push(session.secure)
        callback()
      },
      ...options,
    })
    return { server, passwords, encrypted }
  }

  function send({ port }: MailServer, { host = 'localhost', secure = false } = {}) {
    const server = { host, port, secure, user: 'ada', password: 'right' }
    const mailer = createMailer({ server, from: 'rollcall@example.com', retries: 0 })
    onTestFinished(() => Promise.resolve(mailer.rest()))
    return mailer.send(mail)
  }

  test('smtp:// uses STARTTLS where the server offers it, before the password', async () => {
    const { server, passwords, encrypted } = await openWithLogin({ disabledCommands: [] })
    expect(await send(server)).toMatchObject({ state: 'sent' })
    expect([passwords, encrypted, server.mails.length]).toEqual([['right'], [true], 1])
  })

  test('smtps:// is encrypted from the first byte', async () => {
    const { server, passwords, encrypted } = await openWithLogin({ secure: true })
    expect(await send(server, { secure: true })).toMatchObject({ state: 'sent' })
    expect([passwords, encrypted, server.mails.length]).toEqual([['right'], [true], 1])
  })

  test.each([
    ['smtp:// with STARTTLS', { disabledCommands: [] }, false],
    ['smtps://', { secure: true }, true],
  ])('%s: a certificate that nobody trusts ends it before the password', async (_, options, secure) => {
    setDefaultCACertificates(trusted)
    const { server, passwords } = await openWithLogin(options)
    const outcome = await send(server, { secure })
    expect(outcome).toMatchObject({
      state: 'not_sent',
      isAway: true,
      detail: expect.stringMatching(/certificate/),
    })
    expect([passwords, server.mails]).toEqual([[], []])
  })

  test('a certificate of another name ends it before the password', async () => {
    const { server, passwords } = await openWithLogin({ disabledCommands: [] })
    // It says "localhost" only.
    const outcome = await send(server, { host: '127.0.0.1' })
    expect(outcome).toMatchObject({
      state: 'not_sent',
      isAway: true,
      detail: expect.stringMatching(/altnames/),
    })
    expect([passwords, server.mails]).toEqual([[], []])
  })

  test('a password goes to no other machine without TLS', async () => {
    // The same machine, by an address that does not look like it.
    const { server, passwords } = await openWithLogin({ allowInsecureAuth: true })
    const outcome = await send(server, { host: '::ffff:127.0.0.1' })
    expect(outcome).toMatchObject({
      state: 'not_sent',
      isAway: true,
      detail: expect.stringMatching(/STARTTLS/),
    })
    expect([passwords, server.mails]).toEqual([[], []])
  })
})
