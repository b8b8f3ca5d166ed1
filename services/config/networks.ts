/** Networks in CIDR notation, such as `203.0.113.0/24` or `2001:db8::/32`; an address alone is a network of one. */
import { isIP } from 'node:net'
import { setting, toEntries } from './setting.ts'

export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

export const networkList = setting((text, refuse) =>
  toEntries(text).map((entry): Network => {
    const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const version = isIP(address)
    const longest = version === 4 ? 32 : 128
    const prefix = digits === undefined ? longest : Number(digits)
    if (version !== 0 && prefix <= longest)
      return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
    return refuse(`${entry} must be a network such as 203.0.113.0/24 or 2001:db8::/32`)
  }),
)
