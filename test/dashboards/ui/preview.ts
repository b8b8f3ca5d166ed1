/**
 * Serves the pages of the filled company, to look at them while working on them:
 * `node --import ./services/runtime/jsx.ts test/dashboards/ui/preview.ts [port]`.
 */
import { serve } from '@hono/node-server'
import { startPreview } from './serve.ts'

const port = Number(process.argv[2] ?? 3999)
const { app } = await startPreview()
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => console.log(`http://127.0.0.1:${port}/`))
