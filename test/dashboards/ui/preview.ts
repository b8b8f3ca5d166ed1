/**
 * Serves the pages over the fixture, to look at them while working on them:
 * `node --import ./services/runtime/jsx.ts test/dashboards/ui/preview.ts [port] [state]`; the states are in `serve.ts`, and `error`.
 */
import { serve } from '@hono/node-server'
import { startPreview } from './serve.ts'

const port = Number(process.argv[2] ?? 3999)
const { app } = await startPreview({ state: process.argv[3] ?? 'plain' })
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => console.log(`http://127.0.0.1:${port}/`))
