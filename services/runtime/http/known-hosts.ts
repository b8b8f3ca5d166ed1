/** The names a server answers to. */
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'

/** The names to require, or `undefined` for none: on all addresses, a Prometheus may use any name, such as a pod's. */
export function toKnownHosts(host: string, names: readonly string[] | undefined): readonly string[] | undefined {
  return names ?? (isLoopback(host) ? [] : undefined)
}

/**
 * Any website can point a name of its own at this machine's address and then read these pages (DNS rebinding). Requests
 * by address or localhost are safe; other names must be configured, in `variable`.
 */
export function knownHostsOnly(hosts: readonly string[], variable: string): MiddlewareHandler {
  return async (c, next) => {
    const name = URL.parse(`http://${c.req.header('host') ?? 'localhost'}`)?.hostname ?? ''
    const isOurs = isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost')
    if (isOurs || hosts.includes(name)) return next()
    return c.text(
      `Rollcall does not answer under this name, so that no other website can read it.\n` +
        `Open it by its own address, or add the name to ${variable} and start Rollcall again.\n`,
      421,
    )
  }
}

/** Whether only this machine can reach what listens on that address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('127.')
}
