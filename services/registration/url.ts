/** Ingest URLs end in their secret: how to compare and show them. */

/** With the token's first characters only, by which its owner recognises it. */
export function maskUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return 'an address that cannot be read'
  const path = parsed.pathname.replace(/[^/]+$/, (token) => `${token.slice(0, token.length > 20 ? 4 : 0)}…`)
  return `${parsed.origin}${path}`
}

/** The same place with another token: same origin, and same path except its end. */
export function isUnderOneAddress(a: string, b: string): boolean {
  const [one, other] = [URL.parse(a), URL.parse(b)]
  return one !== null && other !== null && one.origin === other.origin && toFolder(one) === toFolder(other)
}

/** Reachable only from this machine or its own network. */
export function isLocal(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '::' ||
    /^(127|10|0)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^f[cd]/.test(host)
  )
}

function toFolder({ pathname }: URL): string {
  return pathname.replace(/[^/]*$/, '')
}
