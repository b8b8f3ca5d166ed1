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

test('sends text and HTML, with the headers to unsubscribe in one click over https only, over one connection', async () => {
  let connections = 0
  const server = await open({
    onConnect: (_session, callback) => {
      connections++
      callback()
    },
  })
  const mailer = mailerTo(server.port)
  const subject = 'A\r\nBcc: eve@example.com\r\n\r\nbody "quoted", Ünïcode 名前'
  const plainUrl = 'http://127.0.0.1:3000/digest/unsubscribe?key=abc'
  for (const each of [mail, { ...mail, unsubscribeUrl: plainUrl }, { ...mail, subject }])
    expect(await mailer.send(each)).toMatchObject({ state: 'sent' })
  const [got, plain, hostile] = server.mails
  expect([server.mails.length, connections]).toEqual([3, 1])
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
  expect(headerOf(plain as never, 'List-Unsubscribe-Post')).toBeUndefined()
  expect([hostile?.envelopeTo, hostile?.headers.some(({ key }) => key === 'bcc')]).toEqual([[mail.to], false])
  expect(hostile?.subject).toContain('Ünïcode 名前')
})

// A server that looks the sender up takes a while. Without PIPELINING the mailer waits after each command.
test.each([false, true])(
  'sends one mail at a time, each to its address (PIPELINING hidden: %s)',
  async (hidePIPELINING) => {
    let begun = 0
    const onMailFrom: MailServerOptions['onMailFrom'] = (_address, _session, callback) => {
      begun++
      setTimeout(callback, 100)
    }
    const server = await open({ hidePIPELINING, onMailFrom })
    const mailer = mailerTo(server.port)
    const first = mailer.send(mail)
    await until(() => begun === 1)
    const second = mailer.send({ ...mail, to: 'boss@example.com', subject: 'Yours' })
    mailer.rest()
    expect([await first, await second, await mailer.send(mail)]).toMatchObject([
      { state: 'sent' },
      { state: 'sent' },
      { state: 'sent' },
    ])
    expect(server.mails.map(({ envelopeTo, subject }) => [...envelopeTo, subject])).toEqual([
      [mail.to, mail.subject],
      ['boss@example.com', 'Yours'],
      [mail.to, mail.subject],
    ])
  },
)

const noAddresses = [
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
test('sends nothing to a text that is no address', async () => {
  const server = await open()
  const mailer = mailerTo(server.port)
  for (const to of noAddresses)
    expect([to, isAddress(to), await mailer.send({ ...mail, to })]).toMatchObject([
      to,
      false,
      { state: 'refused' },
    ])
  expect([server.mails, isAddress('ådä+training@exämple.com')]).toEqual([[], true])
})

const failWith = (responseCode: number) =>
  Object.assign(new Error(`Answer ${responseCode}`), { responseCode })
const refuseRecipient =
  (code: number): NonNullable<MailServerOptions['onRcptTo']> =>
  ({ address }, _session, callback) =>
    callback(address.startsWith('next') ? null : failWith(code))
const refuseText: MailServerOptions['beforeAccept'] = () => {
  throw failWith(552)
}
const outcomes: [what: string, options: MailServerOptions, cutAt: Cut | undefined, outcome: object][] = [
  ['an unknown recipient', { onRcptTo: refuseRecipient(550) }, undefined, { state: 'refused' }],
  [
    'a recipient to be tried later',
    { onRcptTo: refuseRecipient(451) },
    undefined,
    { state: 'not_sent', isAway: false },
  ],
  ['a text that is too large', { beforeAccept: refuseText }, undefined, { state: 'refused' }],
  ['a connection cut at the end of the text', {}, 'end of the text', { state: 'unknown' }],
  ['a connection cut before the text', {}, 'the recipient', { state: 'not_sent', isAway: true }],
]
test.each(outcomes)(
  'reports the outcome of %s, and the next mail goes',
  async (_, options, cutAt, outcome) => {
    const server = await open(options)
    const port = cutAt === undefined ? server.port : await openCutting(server.port, cutAt)
    const mailer = mailerTo(port)
    expect(await mailer.send({ ...mail, to: 'gone@example.com' })).toMatchObject(outcome)
    expect(server.mails).toEqual([])
    if (options.onRcptTo === undefined) return
    expect(await mailer.send({ ...mail, to: 'next@example.com' })).toMatchObject({ state: 'sent' })
  },
)

test('reports a server that is not there: not sent, and neither would the next be', async () => {
  const [port = 0] = await findFreePorts(1)
  expect(await mailerTo(port).send(mail)).toMatchObject({ state: 'not_sent', isAway: true })
})

type Cut = 'end of the text' | 'the recipient'

/** Between mailer and server; cuts both when it sees these words of the client. */
async function openCutting(port: number, at: Cut): Promise<number> {
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

  const startTls = { disabledCommands: [] }
  const away = (detail: RegExp) => ({
    state: 'not_sent',
    isAway: true,
    detail: expect.stringMatching(detail) as string,
  })
  type Server = MailServerOptions & { host?: string; isTrusted?: boolean; password?: string }
  /** `seen`: the passwords that the server got. */
  const cases: [what: string, server: Server, outcome: object, seen: string[]][] = [
    ['smtp:// uses STARTTLS if the server offers it', startTls, { state: 'sent' }, ['right']],
    ['smtps:// is encrypted from the first byte', { secure: true }, { state: 'sent' }, ['right']],
    ['a wrong password is not sent again', { ...startTls, password: 'wrong' }, away(/.*/), ['wrong']],
    [
      'an untrusted certificate of STARTTLS gets none',
      { ...startTls, isTrusted: false },
      away(/certificate/),
      [],
    ],
    [
      'an untrusted certificate of smtps:// gets none',
      { secure: true, isTrusted: false },
      away(/certificate/),
      [],
    ],
    // The certificate says "localhost" only.
    ['a certificate of another name gets none', { ...startTls, host: '127.0.0.1' }, away(/altnames/), []],
    // The same machine, by an address that does not look like it.
    [
      'another machine without TLS gets none',
      { allowInsecureAuth: true, host: '::ffff:127.0.0.1' },
      away(/STARTTLS/),
      [],
    ],
  ]
  test.each(cases)(
    '%s',
    async (_, { host = 'localhost', isTrusted = true, password = 'right', ...options }, outcome, seen) => {
      if (!isTrusted) setDefaultCACertificates(trusted)
      const passwords: string[] = []
      const encrypted: boolean[] = []
      const { port, mails } = await open({
        ...certificate,
        authOptional: false,
        onAuth: (auth, _session, callback) => {
          passwords.push(auth.password ?? '')
          callback(null, { user: auth.password === 'right' ? 1 : undefined })
        },
        onMailFrom: (_address, session, callback) => {
          encrypted.push(session.secure)
          callback()
        },
        ...options,
      })
      const server = { host, port, secure: options.secure ?? false, user: 'ada', password }
      const mailer = createMailer({ server, from: 'rollcall@example.com', retries: 0 })
      onTestFinished(() => Promise.resolve(mailer.rest()))
      expect(await mailer.send(mail)).toMatchObject(outcome)
      const isSent = 'state' in outcome && outcome.state === 'sent'
      expect([passwords, encrypted, mails.length]).toEqual([seen, isSent ? [true] : [], isSent ? 1 : 0])
    },
  )
})
