import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAddressed, toMailLinks } from '../../../dashboards/pages/overdue/mail-links.ts'

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `person.number.${i}@sales.example.com`)

describe('addresses', () => {
  test.each([
    '',
    'nobody',
    'a@b',
    'a@b.c',
    'a b@example.com',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    'a@example.com?cc=all@example.com',
    'a@example.com&bcc=all@example.com',
    'a%2Call@example.com',
    '"a"@example.com',
    'Ann <a@example.com>',
    'a@example.com\nBcc: all@example.com',
    'a@example.com\r',
    '@example.com',
    'a@@example.com',
    'javascript:alert(1)@example.com',
  ])('%j is none', (email) => {
    expect(toAddressed([{ email }])).toEqual({ addresses: [], without: [{ email }] })
  })

  test.each(['ann@example.com', "o'hara+x@mail.example.co.uk", 'jürgen@münchen.example', 'a_b-c.d@e.fg'])(
    '%s is one',
    (email) => {
      expect(toAddressed([{ email }, { email }]).addresses).toEqual([email])
    },
  )

  test('whatever was sent, no link names a recipient that is not one of the usable addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), { maxLength: 30 }), (sent) => {
        const usable = toAddressed(sent.map((email) => ({ email }))).addresses
        const named = (toMailLinks(usable, 'Overdue') ?? []).flatMap(({ href }) => {
          const params = new URL(href).searchParams
          expect([...params.keys()]).toEqual(['subject', 'bcc'])
          return (params.get('bcc') ?? '').split(',')
        })
        expect(named).toEqual(usable)
      }),
    )
  })
})

describe('links', () => {
  test('one is enough for a few; more are split, each within the length that mail programs take', () => {
    expect(toMailLinks(addresses(1), 'Late')).toEqual([
      { href: 'mailto:?subject=Late&bcc=person.number.0@sales.example.com', from: 1, to: 1 },
    ])
    expect(toMailLinks(addresses(12), 'Late')).toHaveLength(1)
    const links = toMailLinks(addresses(200), 'Late') ?? []
    expect(links.length).toBeGreaterThan(1)
    expect(links.every(({ href }) => href.length <= 1_900)).toBe(true)
    expect(links.map(({ from, to }) => [from, to])).toEqual(links.map(({ to }, i) => [(links[i - 1]?.to ?? 0) + 1, to]))
    expect(links.at(-1)?.to).toBe(200)
  })

  test('too many are none: they are to be copied', () => {
    expect(toMailLinks(addresses(2_000), 'Late')).toBeNull()
    expect(toMailLinks([], 'Late')).toEqual([])
  })
})
