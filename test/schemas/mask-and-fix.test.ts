/** Bodies as shown to people who may not see people, and how they are put right without being seen. */
import { describe, expect, test } from 'vitest'
import { fixBody } from '../../schemas/webhook/fix-body.ts'
import { maskBody } from '../../schemas/webhook/mask-body.ts'
import { monday, toBody } from '../support/data/records.ts'

const secrets = ['Ada', 'Moreno', 'ada@example.com', 'First call', '+49 30 1234', '5550199']

describe('a masked body', () => {
  test('shows structure and status, and no name, e-mail, title or unknown value', () => {
    const body = toBody(
      'Created',
      'a1',
      monday,
      {},
      { phone: '+49 30 1234', badge: 5550199, 'ada@example.com': true },
    )
    const { text, isCut } = maskBody(body)
    expect(isCut).toBe(false)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('"eventType": "assignmentCreated.challenge"')
    expect(text).toContain('"status": "not_started"')
    expect(text).toContain('"name": "•••"')
    expect(text).toContain('"badge": •••')
    expect(text).toContain('"•••": true')
  })

  test('of a body that is not JSON shows its known words only', () => {
    const { text } = maskBody(
      Buffer.from('{"eventType": "x", "user": {"name": "Ada Moreno", "email": "ada@example.com"'),
    )
    expect(text).toBe('{"eventType": "x", "user": {"name": "xxx xxxxxx", "email": "xxx@xxxxxxx.xxx"')
  })

  test('is short and quick, whatever the bytes', () => {
    const deep = Buffer.from(`${'{"id":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
    const wide = Buffer.from(JSON.stringify({ id: Array.from({ length: 200_000 }, (_, n) => n) }))
    for (const body of [
      deep,
      wide,
      Buffer.alloc(1_000_000, 0xff),
      Buffer.from(''),
      Buffer.alloc(1_000_000, 'a'),
    ]) {
      expect(maskBody(body).text.length).toBeLessThanOrEqual(6_000)
    }
  })
})

describe('a fix', () => {
  const read = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as unknown
  const fixed = (text: string, patch: Record<string, unknown>) => {
    const result = fixBody(Buffer.from(text), patch)
    return result.ok ? read(result.body) : result.problem
  }

  test('sets, removes and adds fields, and leaves the others as they are', () => {
    expect(fixed('{"a":1,"user":{"name":"Ada","x":1}}', { timestamp: 5, user: { x: null } })).toEqual({
      a: 1,
      user: { name: 'Ada' },
      timestamp: 5,
    })
  })

  test('refuses what it cannot rewrite exactly', () => {
    expect(fixed('no json', { a: 1 })).toContain('not JSON')
    expect(fixed('[1]', { a: 1 })).toContain('not an object')
    expect(fixed('{"id":12345678901234567890}', { a: 1 })).toContain('number')
    expect(fixed(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, { a: 1 })).toContain('nested too deeply')
  })

  test('treats __proto__ as a field like any other', () => {
    const result = fixBody(Buffer.from('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"b":2}}') as never)
    expect(result.ok && Buffer.from(result.body).toString()).toBe('{"__proto__":{"a":1,"b":2}}')
    expect(({} as Record<string, unknown>)['b']).toBe(undefined)
  })
})
