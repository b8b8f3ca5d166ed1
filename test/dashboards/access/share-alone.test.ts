/** Share links where nobody signs in, and where nobody shares. */
import { expect, test } from 'vitest'
import { openCompany } from './company.ts'
import { follow } from '../../support/network/follow.ts'

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()

test('without sign-in the one person of the machine shares, and the link shows one page', async () => {
  const alone = await openCompany({ env: { DASHBOARD_AUTH: 'none' }, clock: () => ++nowMs })
  try {
    const made = await alone.post('/share', '', { page: '/assignments?user=102', days: '7', names: 'yes' })
    const page = await follow(made, (to, cookie) => alone.app.request(to, { headers: { cookie } }))
    const path = /(\/s\/[\w-]{43})</.exec(await page.text())?.[1] ?? ''
    const text = await (await alone.app.request(path)).text()
    expect([text.includes('Rae Own'), text.includes('Ron Own'), text.includes('<nav')]).toEqual([true, false, false])
  } finally {
    await alone.close()
  }
})

test('a setting ends all sharing', async () => {
  const closed = await openCompany({ env: { DASHBOARD_AUTH: 'none', DASHBOARD_SHARE_DAYS: '0' }, clock: () => ++nowMs })
  try {
    expect((await closed.post('/share', '', { page: '/', days: '1' })).status).toBe(400)
    expect(await (await closed.app.request('/overdue')).text()).not.toContain('/share?page=')
  } finally {
    await closed.close()
  }
})
