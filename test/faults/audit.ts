/** The base of an audit for leaks: everything that comes out is kept with where, and searched for markers and tokens at the end. */
import { expect } from 'vitest'
import { testToken } from '../support/processes/embedded.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { monday, toBody } from '../support/data/records.ts'

const { name, email, title } = marker

export const person = {
  id: 4711,
  name,
  email,
  groups: [{ id: 'g1', name: title }],
  custom: { nickname: name },
}
export const toEvent = (id: string) =>
  toBody('Created', id, monday, {}, person).toString().replace('First call', title)

export const platformToken = 'platform-token-that-nobody-may-see'
const unknownToken = 'an-unknown-token-of-annelore-markworth-0123456789'
const tokens = [testToken, platformToken, unknownToken]

export type Audit = {
  /** Keeps the output of `where`. */
  note(where: string, text: string): void
  /** Posts a delivery, keeps the answer, and returns its status. */
  send(what: string, body: string | Uint8Array, init?: RequestInit): Promise<number>
  /** Gets an address, keeps the answer, and returns it. */
  read(url: string, init?: RequestInit): Promise<string>
  /** Deliveries that are broken in every way that the receiver tells apart, and full of names. */
  sendBrokenDeliveries(): Promise<void>
  expectNothingLeaked(): void
}

/** `ingestUrl`: where webhooks go, token included. */
export function createAudit(ingestUrl: () => string): Audit {
  const seen: [string, string][] = []

  async function post(
    what: string,
    url: string,
    body: string | Uint8Array,
    init: RequestInit,
  ): Promise<number> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), ...init })
    seen.push([`answer to ${what}`, `${JSON.stringify([...answer.headers])} ${await answer.text()}`])
    return answer.status
  }
  const send: Audit['send'] = async (what, body, init = {}) => post(what, ingestUrl(), body, init)

  return {
    note: (where, text) => void seen.push([where, text]),
    send,
    async read(url, init = {}) {
      const answer = await fetch(url, init)
      const text = await answer.text()
      seen.push([`${new URL(url).pathname} ${JSON.stringify(init.body ?? '')}`, text])
      return text
    },
    async sendBrokenDeliveries() {
      const whole = toEvent('broken')
      expect(await send('half a body', whole.slice(0, -20))).toBe(400)
      expect(await send('a bare name', `${name} <${email}>`)).toBe(400)
      expect(await send('a name behind the end', `{} ${name}`)).toBe(400)
      expect(await send('a line break in a name', `{"name": "${name}\n${email}"}`)).toBe(400)
      expect(
        await send('bytes that are no text', Buffer.concat([Buffer.from(whole), Buffer.from([0xff])])),
      ).toBe(400)
      expect(await send('a list', JSON.stringify([person]))).toBe(422)
      expect(await send('a person alone', JSON.stringify({ user: person }))).toBe(422)
      expect(await send('a name for a time', JSON.stringify({ eventType: name, timestamp: email }))).toBe(422)
      const retyped = whole.replace('"status":"not_started"', `"status":{"${name}":1}`)
      expect(await send('fields of the wrong type', retyped)).toBe(200)
      const halfPair = `{"eventType":"x","timestamp":${monday},"user":{"id":1,"name":"${name} \\ud800"}}`
      expect(await send('half a pair', halfPair)).toBe(200)
      expect(await send('a name for a method', whole, { method: 'PUT' })).toBe(405)
      const mediaType = { headers: { 'content-type': `text/${name.split(' ')[0]}` } }
      expect(await send('a media type', whole, mediaType)).toBe(415)
      const wrongUrl = `${new URL(ingestUrl()).origin}/webhooks/${unknownToken}`
      expect(await post('a wrong token', wrongUrl, whole, {})).toBe(404)
      expect(await send('too much', `${whole}${' '.repeat(2 * 1024 ** 2)}`)).toBe(413)
    },
    expectNothingLeaked() {
      const leaks = seen.flatMap(([where, text]) => {
        const found = findMarker(text)
        return found === undefined ? [] : [`${where}: ${found}`]
      })
      expect(leaks).toEqual([])
      const shown = tokens.map((token) => [token, seen.find(([, text]) => text.includes(token))?.[0]])
      expect(shown).toEqual(tokens.map((token) => [token, undefined]))
    },
  }
}
