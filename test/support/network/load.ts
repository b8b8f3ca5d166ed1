/** Senders that keep posting until they are stopped, and remember what was acknowledged. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Load = { stop(): Promise<void> }

/** Each sender waits `pauseMs` between two; default not at all. */
export function startLoad(
  url: string,
  concurrency: number,
  next: () => Uint8Array,
  acknowledged: Set<string>,
  pauseMs = 0,
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const load = { isGoing: true }
  const senders = Array.from({ length: concurrency }, async () => {
    while (load.isGoing) {
      const receipt = await post(url, agent, next())
      if (receipt !== undefined) acknowledged.add(receipt)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  return {
    async stop() {
      load.isGoing = false
      await Promise.all(senders)
      agent.destroy()
    },
  }
}

/** The receipt of an acknowledged event, or nothing when it was not acknowledged (the sender may lose it, we may not). */
async function post(url: string, agent: Agent, body: Uint8Array): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve(response.statusCode === 200 ? (JSON.parse(text) as { receipt: string }).receipt : undefined),
        )
        response.on('error', () => resolve(undefined))
      },
    )
    sent.on('error', () => setTimeout(() => resolve(undefined), 20))
    sent.end(body)
  })
}
