/** Pages on a server of their own. */
import type { DashboardsApp } from '../../dashboards/app.ts'
import { listen as listenOn } from '../../services/runtime/http/listen.ts'

export type Running = { url: string; stop(): Promise<void> }

export async function listen({ app, close }: DashboardsApp): Promise<Running> {
  const server = await listenOn({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'the port' })
  return {
    url: server.url,
    async stop() {
      await server.close(0)
      await close()
    },
  }
}
