/** Which names a server answers to. */
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { isLoopback } from './is-loopback.ts'

/**
 * The names to insist on, or `undefined` for none: on all addresses of a machine it is reached by names that nobody has told us,
 * such as that of a pod.
 */
export function toKnownHosts(host: string, names: readonly string[] | undefined): readonly string[] | undefined {
  return names ?? (isLoopback(host) ? [] : undefined)
}

/**
 * Any website can have a name of its own lead to an address of this machine, and then read what is here as its own. A request
 * by an address or by localhost cannot come that way; other names must be known. `variable` sets them.
 */
export function knownHostsOnly(hosts: readonly string[], variable: string): MiddlewareHandler {
  return async (c, next) => {
    const name = URL.parse(`http://${c.req.header('host') ?? 'localhost'}`)?.hostname ?? ''
    const isOurs = isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost')
    if (isOurs || hosts.includes(name)) return next()
    return c.text(
      `Rollcall is not known by this name. If it should be: ${variable} lists the names by which it is reached.`,
      421,
    )
  }
}
