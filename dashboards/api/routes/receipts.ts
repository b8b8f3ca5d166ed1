import { Hono } from 'hono'
import { refuse, type ApiContext } from '../api-context.ts'

/** `/receipts/{id}`: where a delivery is now. */
export function receiptRoutes({ queries }: ApiContext): Hono {
  const app = new Hono()

  app.get('/receipts/:id', async (c) => {
    const id = c.req.param('id').toLowerCase()
    if (!/^[0-9a-f]{32}$/.test(id)) {
      return refuse(c, [{ parameter: 'id', message: 'must be a receipt: 32 hexadecimal digits' }])
    }
    return c.json(await queries.receipt(id))
  })

  return app
}
