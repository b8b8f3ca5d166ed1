import { describe, expect } from 'vitest'
import { hashText, type ErasedPeople } from '../../services/consumer/scrub/erased-people.ts'
import { scrubBody } from '../../services/consumer/scrub/scrub.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import { costRatio } from '../support/cost.ts'
import { toRecord } from '../support/data/records.ts'
import { isThorough, pickCases, test, testBoth } from '../support/thorough.ts'

const erased: ErasedPeople = {
  ids: new Set(['7']),
  emailHashes: new Set([hashText('ada@example.com')]),
  titles: new Map([[hashText('Welcome, Ada Moreno'), 'Welcome, [erased]']]),
  texts: [],
}
const knownByName: ErasedPeople = { ...erased, texts: ['Ada Moreno', 'Al', 'André Gide'] }
const maxBytes = 1_048_576

const scrub = (body: unknown, people = erased) =>
  Buffer.from(scrubBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), people)).toString()
const scrubbed = (body: unknown, people = erased) => JSON.parse(scrub(body, people)) as unknown

describe.skipIf(isThorough)('taking an erased person out of a body', () => {
  test.each([5_000, 500_000])('finds the person under %i levels of nesting', (levels) => {
    const body = `{"a":${'['.repeat(levels)}{"user":{"id":7,"name":"Ada Moreno"}}${']'.repeat(levels)},"note":"kept"}`
    const clean = scrub(body)
    expect(clean).not.toContain('Ada')
    expect(clean).toContain('"note":"kept"')
  })

  test('leaves the very same bytes of a deep body that does not name the person', () => {
    const body = Buffer.from(`${'['.repeat(5_000)}{"user":{"id":8}}${']'.repeat(5_000)}`)
    expect(scrubBody(body, erased)).toBe(body)
  })

  test('removes the name from a repeated key', () => {
    const body = '{"user":{"id":7,"name":"Ada Moreno"},"user":{"id":8,"name":"Bo : \\" Lind"}}'
    expect(scrubbed(body)).toEqual({ user: { id: 8, name: 'Bo : " Lind' } })
    const once = Buffer.from('{"user":{"id":8,"a:b":"c\\":d","e":{}}}')
    expect(scrubBody(once, erased)).toBe(once)
  })

  test('finds an e-mail in a sentence, as a key, and under a name that ends like an id', () => {
    const body = {
      message: 'Ask ada@example.com. Or <ADA@Example.com>, or bo@example.com!',
      'ada@example.com': 1,
      emailId: 'ada@example.com',
    }
    expect(scrubbed(body)).toEqual({
      message: 'Ask [erased]. Or <[erased]>, or bo@example.com!',
      '[erased]': 1,
      emailId: '[erased]',
    })
  })

  test('finds a name in any spelling, and a short one only as the whole text', () => {
    const body = {
      a: 'ADA MORENO and Moreno, Ada and ada moreno',
      b: 'Andre\u0301 Gide',
      c: 'Al',
      d: 'Also',
      'Ada Moreno': 1,
      id: 'Ada Moreno',
    }
    expect(scrubbed(body, knownByName)).toEqual({
      a: '[erased] and [erased] and [erased]',
      b: '[erased]',
      c: '[erased]',
      d: 'Also',
      '[erased]': 1,
      id: 'Ada Moreno',
    })
  })

  test('finds a title that held the name', () => {
    expect(scrubbed({ challenge: { id: 'c', displayTitle: 'Welcome, Ada Moreno' } })).toEqual({
      challenge: { id: 'c', displayTitle: 'Welcome, [erased]' },
    })
  })

  test('replaces overlapping names as one, and keeps letters that grow in lower case in their place', () => {
    const people = { ...erased, texts: ['aaaaa', 'bbbbb', 'aaaaabbbbbccccc'] }
    expect(scrubbed({ a: 'x aaaaabbbbbccccc y aaaaaa z' }, people)).toEqual({ a: 'x [erased] y [erased] z' })
    expect(scrubbed({ a: 'İİ Ada Moreno İ' }, knownByName)).toEqual({ a: 'İİ [erased] İ' })
  })

  test('keeps no text that may name somebody in a body with more names or e-mails than can be looked for', () => {
    const names = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`name${at}`, `Name of nobody ${at}`]))
    const tooMany = {
      eventType: 'x',
      at: '2026-01-05T10:00:00Z',
      user: { id: 7, ...names },
      text: 'Who is Name of nobody 8999?',
    }
    expect(scrubbed(tooMany)).toEqual({ eventType: 'x', at: '2026-01-05T10:00:00Z', user: { id: 7 } })
    const emails = Array.from({ length: 21_000 }, (_, at) => `a${at}@b.example`).join(' ')
    expect(scrubbed({ id: '1', emails, last: 'ada@example.com' })).toEqual({ id: '1' })
  })
})

/** Bodies of the largest size that is taken, made to cost as much as can be. */
const costly: Record<string, string> = {
  'one long word': JSON.stringify({ text: `@${'a'.repeat(maxBytes - 40)}` }),
  'text that is not JSON': `${'a'.repeat(maxBytes - 20)}@`,
  'many e-mails': JSON.stringify({ text: 'a@b,'.repeat(maxBytes / 4 - 10) }),
  'an endless e-mail': JSON.stringify({ text: 'a@'.repeat(maxBytes / 2 - 10) }),
  'dots after an e-mail': JSON.stringify({ text: `a@${'.'.repeat(maxBytes - 40)}` }),
  'many names of the person, and many texts': JSON.stringify({
    user: { id: 7, ...Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`name${at}`, `aaaaaa${at}`])) },
    texts: Array.from({ length: 60_000 }, () => 'aaaaaaa'),
  }),
  'many erased people': JSON.stringify({
    users: Array.from({ length: 24_000 }, (_, at) => ({ id: 7, name: `Ada ${at} Moreno` })),
  }),
  'a deep list': '['.repeat(maxBytes / 2) + ']'.repeat(maxBytes / 2),
  'many small objects': JSON.stringify(Array.from({ length: maxBytes / 4 }, () => ({}))),
}

testBoth.each(pickCases(Object.keys(costly), 5, 0, 1))(
  'costs no more than some times an ordinary body of that size: %s',
  (name) => {
    const users = Array.from({ length: 9_000 }, (_, at) => ({
      user: { id: at + 8, name: `Some Name ${at}`, email: `some.name.${at}@company.example`, isDeleted: false },
    }))
    const ordinary = Buffer.from(JSON.stringify({ eventType: 'x', users }).slice(0, maxBytes))
    const body = Buffer.from(costly[name] as string)
    expect(body.byteLength).toBeLessThanOrEqual(maxBytes)
    expect(ordinary.byteLength).toBeGreaterThan(maxBytes * 0.7)
    expect(
      costRatio(
        () => scrubBody(body, knownByName),
        () => scrubBody(ordinary, knownByName),
      ),
    ).toBeLessThan(20)
  },
)

/** Bodies that nobody reads cost their parsing, once. */
const read: Record<string, string> = {
  'a third of a million objects': `[${Array.from({ length: maxBytes / 3 - 1_000 }, () => '{}').join()}]`,
  'objects where a person belongs': JSON.stringify(Array.from({ length: 110_000 }, () => ({ id: 1 }))),
  'deep nesting': `${'['.repeat(500_000)}1${']'.repeat(500_000)}`,
}

testBoth.each(pickCases(Object.keys(read), 3, 0, 1))(
  'costs a few times its parsing once somebody was erased: %s',
  (name) => {
    const text = `{"eventType":"x","timestamp":1700000000000,"user":${read[name]}}`
    const body = Buffer.from(text)
    expect(body.byteLength).toBeLessThanOrEqual(maxBytes)
    const record = { ...toRecord(body, 0), body }
    expect(
      costRatio(
        () => prepareRecord(record, 0, erased),
        () => JSON.parse(text),
      ),
    ).toBeLessThan(10)
  },
)
