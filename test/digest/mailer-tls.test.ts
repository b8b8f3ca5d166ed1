import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMailer, type Mail } from '../../digest/sending/mailer.ts'
import { certificate } from '../support/network/certificate.ts'
import { openMailServer, type MailServer, type MailServerOptions } from '../support/network/mail-server.ts'

const trusted = getCACertificates()
const opened: (() => Promise<unknown>)[] = []
beforeEach(() => setDefaultCACertificates([...trusted, certificate.cert]))
afterEach(async () => {
  setDefaultCACertificates(trusted)
  for (const close of opened.splice(0).toReversed()) await close()
})

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Your people: 3 became overdue',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  messageId: '<one@rollcall.example.com>',
  unsubscribeUrl: 'https://rollcall.example.com/digest/unsubscribe?key=abc',
  language: 'en',
}

/** A server with a login, and its record: passwords, and whether the line was encrypted when the mail came. */
async function open(options: MailServerOptions = {}) {
  const passwords: string[] = []
  const encrypted: boolean[] = []
  const server = await openMailServer({
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
  opened.push(() => server.close())
  return { server, passwords, encrypted }
}

function send({ port }: MailServer, { host = 'localhost', secure = false } = {}) {
  const server = { host, port, secure, user: 'ada', password: 'right' }
  const mailer = createMailer({ server, from: 'rollcall@example.com', retries: 0 })
  opened.push(() => Promise.resolve(mailer.rest()))
  return mailer.send(mail)
}

test('smtp:// uses STARTTLS where the server offers it, before the password', async () => {
  const { server, passwords, encrypted } = await open({ disabledCommands: [] })
  expect(await send(server)).toMatchObject({ state: 'sent' })
  expect([passwords, encrypted, server.mails.length]).toEqual([['right'], [true], 1])
})

test('smtps:// is encrypted from the first byte', async () => {
  const { server, passwords, encrypted } = await open({ secure: true })
  expect(await send(server, { secure: true })).toMatchObject({ state: 'sent' })
  expect([passwords, encrypted, server.mails.length]).toEqual([['right'], [true], 1])
})

test.each([
  ['smtp:// with STARTTLS', { disabledCommands: [] }, false],
  ['smtps://', { secure: true }, true],
])('%s: a certificate that nobody trusts ends it before the password', async (_, options, secure) => {
  setDefaultCACertificates(trusted)
  const { server, passwords } = await open(options)
  const outcome = await send(server, { secure })
  expect(outcome).toMatchObject({ state: 'not_sent', isAway: true, detail: expect.stringMatching(/certificate/) })
  expect([passwords, server.mails]).toEqual([[], []])
})

test('a certificate of another name ends it before the password', async () => {
  const { server, passwords } = await open({ disabledCommands: [] })
  // It says "localhost" only.
  const outcome = await send(server, { host: '127.0.0.1' })
  expect(outcome).toMatchObject({ state: 'not_sent', isAway: true, detail: expect.stringMatching(/altnames/) })
  expect([passwords, server.mails]).toEqual([[], []])
})

test('a password goes to no other machine without TLS', async () => {
  // The same machine, by an address that does not look like it.
  const { server, passwords } = await open({ allowInsecureAuth: true })
  const outcome = await send(server, { host: '::ffff:127.0.0.1' })
  expect(outcome).toMatchObject({ state: 'not_sent', isAway: true, detail: expect.stringMatching(/STARTTLS/) })
  expect([passwords, server.mails]).toEqual([[], []])
})
