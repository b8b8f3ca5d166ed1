/** Tries the ports of a process before it writes anything: who starts a second one by mistake gets an answer at once, and no half a store. */
import { listen, type ListenOptions } from './listen.ts'

export async function checkPorts(
  host: string,
  ports: (Pick<ListenOptions, 'port' | 'portVariable'> & { host?: string })[],
): Promise<void> {
  const opened: Awaited<ReturnType<typeof listen>>[] = []
  try {
    // All at once: two settings may name one port.
    for (const port of ports) opened.push(await listen({ host, ...port, handler: (_, response) => response.end() }))
  } finally {
    await Promise.all(opened.map((each) => each.close(0)))
  }
}
