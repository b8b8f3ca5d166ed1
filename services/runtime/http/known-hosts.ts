/** The names a server answers to. */
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'

/**
 * Any website can point a name of its own at this machine's address and then read these pages (DNS rebinding). Requests
 * by address or localhost are safe. `setting` allows other names.
 */
export function knownHostsOnly(hosts: readonly string[], setting?: string): MiddlewareHandler {
  return async (c, next) => {
    const name = URL.parse(`http://${c.req.header('host') ?? 'localhost'}`)?.hostname ?? ''
    const isOurs =
      isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost')
    if (isOurs || hosts.includes(name)) return next()
    return c.text(
      `Rollcall does not answer under this name, so that no other website can read it.\n` +
        (setting === undefined
          ? 'Use its address instead.\n'
          : `Open it by its own address, or add the name to ${setting} and start Rollcall again.\n`),
      421,
    )
  }
}

/** Whether only this machine can reach what listens on that address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('127.')
}
