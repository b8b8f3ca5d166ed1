/**
 * Addresses of people as text to copy and as `mailto:` links. What was sent as an address is used only if it is one: a comma, a
 * quote or a question mark in it would name other recipients. In a link they are blind copies, so nobody sees the others.
 */
const address = /^[^\s@,;:<>()[\]\\"?&=#%]{1,64}@[^\s@,;:<>()[\]\\"?&=#%]{1,190}\.[^\s@.,;:<>()[\]\\"?&=#%]{2,63}$/u

export type Addressed<Person> = { addresses: string[]; without: Person[] }

/** The distinct usable addresses, and who has none. */
export function toAddressed<Person extends { email: string }>(people: readonly Person[]): Addressed<Person> {
  const isUsable = ({ email }: Person) => address.test(email)
  return {
    addresses: [...new Set(people.filter(isUsable).map(({ email }) => email))],
    without: people.filter((person) => !isUsable(person)),
  }
}

/** Some mail programs cut or refuse longer links. */
const maxLinkLength = 1_900
const maxLinks = 8

export type MailLink = { href: string; from: number; to: number }

/** As few links as the length allows; `null` where they would be too many: then the addresses are to be copied. */
export function toMailLinks(addresses: readonly string[], subject: string): MailLink[] | null {
  const links: MailLink[] = []
  const begin = `mailto:?subject=${encodeURIComponent(subject)}&bcc=`
  let text = ''
  let from = 1
  addresses.forEach((each, index) => {
    const encoded = encodeURIComponent(each).replace('%40', '@')
    if (text !== '' && begin.length + text.length + 1 + encoded.length > maxLinkLength) {
      links.push({ href: begin + text, from, to: index })
      text = ''
      from = index + 1
    }
    text += text === '' ? encoded : `,${encoded}`
  })
  if (text !== '') links.push({ href: begin + text, from, to: addresses.length })
  return links.length > maxLinks ? null : links
}
