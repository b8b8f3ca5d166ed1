/** Networks in CIDR notation, such as `203.0.113.0/24` or `2001:db8::/32`; an address alone is a network of one. */
import { isIP } from 'node:net'
import { z } from 'zod'

export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

export const networkList = z.string().transform((text, context) => {
  const networks: Network[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const version = isIP(address)
    const longest = version === 4 ? 32 : 128
    const prefix = digits === undefined ? longest : Number(digits)
    if (version === 0 || prefix > longest) {
      context.addIssue({
        code: 'custom',
        message: `${entry} must be a network such as 203.0.113.0/24 or 2001:db8::/32`,
      })
    } else networks.push({ address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' })
  }
  return networks
})
