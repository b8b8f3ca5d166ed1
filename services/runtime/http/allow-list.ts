/** From which networks requests may come. Ingest: off unless configured; a token is the secret, this is a second lock. */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Network } from '../../config/networks.ts'

export type AllowList = (remoteAddress: string | undefined, headers: IncomingHttpHeaders) => boolean

export type AllowListOptions = {
  /** Empty: everybody may send. */
  allowed: readonly Network[]
  /** Proxies whose `X-Forwarded-For` is believed. Any other sender could write anything there. */
  trustedProxies: readonly Network[]
}

export function createAllowList({ allowed, trustedProxies }: AllowListOptions): AllowList | undefined {
  if (allowed.length === 0) return undefined
  const isAllowed = toMatcher(allowed)
  const findSender = createSenderFinder(trustedProxies)
  return (remoteAddress, headers) => {
    const sender = findSender(remoteAddress, headers['x-forwarded-for'])
    return sender !== undefined && isAllowed(sender)
  }
}

/** Who sent a request: the socket's address or, where that is a trusted proxy's, the one that the proxies forward. */
export function createSenderFinder(trustedProxies: readonly Network[]) {
  const isProxy = toMatcher(trustedProxies)
  return (remoteAddress: string | undefined, forwarded: string | string[] | undefined): string | undefined =>
    findSender(toAddress(remoteAddress), forwarded, isProxy)
}

/** The last address that none of our proxies has: each proxy adds the one it was called from, on the right. */
function findSender(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  isProxy: (address: string) => boolean,
): string | undefined {
  const before = [forwarded ?? []].flat().join(',').split(',')
  let sender = remote
  while (sender !== undefined && isProxy(sender)) {
    const next = before.pop()
    if (next === undefined || next.trim() === '') return sender
    sender = toAddress(next)
  }
  return sender
}

/** Without a port, brackets, a zone and the form in which IPv6 sockets name IPv4 addresses; `undefined` for anything else. */
export function toAddress(text: string | undefined): string | undefined {
  const bare = (text ?? '').trim().replace(/^\[(.*)\](:\d+)?$/, '$1')
  const address = bare
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
  return isIP(address) === 0 ? undefined : address
}

export function toMatcher(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family)
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
