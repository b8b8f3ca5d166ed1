/** A steady load of webhooks, and how long each takes until it is acknowledged. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Load = { sentAt: number[]; acknowledgedMs: number[]; stop(): Promise<void> }

/** `mostSent`: it ends by itself after these, and `stop` waits for it. */
export function startLoad(
  url: string,
  perSecond: number,
  toBody: (index: number) => Uint8Array,
  mostSent = Infinity,
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const [sentAt, acknowledgedMs]: [number[], number[]] = [[], []]
  const answers: Promise<void>[] = []
  let isOn = true

  function send(index: number): Promise<void> {
    const at = performance.now()
    sentAt.push(at)
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => {
          acknowledgedMs.push(performance.now() - at)
          resolve()
        })
      })
      sent.on('error', reject).end(toBody(index))
    })
  }

  const going = (async () => {
    const from = performance.now()
    while ((isOn || mostSent < Infinity) && sentAt.length < mostSent) {
      const due = Math.min(((performance.now() - from) * perSecond) / 1_000, mostSent)
      while (sentAt.length < due) answers.push(send(sentAt.length))
      await sleep(20)
    }
  })()
  return {
    sentAt,
    acknowledgedMs,
    async stop() {
      isOn = false
      await going
      await Promise.all(answers)
      agent.destroy()
    },
  }
}
