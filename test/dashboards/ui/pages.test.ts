/** What a reader does on pages, in a real browser: with a script and without one. How pages look is the subject of ../walk.test.ts. */
import type { BrowserContext } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { DashboardsDeps } from '../../../dashboards/dashboards-deps.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { openDetails } from '../../support/browser/faults.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { filledNow, ids } from '../filled-company.ts'
import { openPreviews } from './previews.ts'
import { beforeFirst, listen, settings, startPreview } from './serve.ts'
import { isLong } from '../../support/tiers.ts'

const previews = await openPreviews()
const empty = await listen(await startPreview({ deps: beforeFirst }))
afterAll(async () => {
  await empty.stop()
  await previews.close()
})

describe('without a script', () => {
  const javaScriptEnabled = false

  test('shows the whole page, and the form filters by its button', async () => {
    await previews.open(`/?range=90d&user=${ids.person}`, { javaScriptEnabled }, async (page) => {
      expect(await page.locator('.plot svg.marks').count()).toBe(1)
      expect(await page.locator('.needs-script:visible').count()).toBe(0)
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.getByRole('button', { name: 'Apply' }).click()
      const state = new URL(page.url()).searchParams
      expect([state.getAll('team'), state.get('range'), state.get('user')]).toEqual([
        [ids.team],
        '90d',
        ids.person,
      ])
      // The page is streamed: its address is there before its filters.
      await expect.poll(() => page.locator('.chip').count()).toBe(3)
    })
  })
})

describe('with the script', () => {
  test('a filter applies at once; the menu stays open, and back undoes it', async () => {
    await previews.open('/?range=90d', {}, async (page) => {
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.waitForURL(new RegExp(`team=${ids.team}`))
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor()
      await page.locator('#menu-team[open]').waitFor()
      expect(await page.locator('#menu-team summary').innerText()).toContain('Sales North')
      // An export that loses the filters is the classic complaint.
      expect(await page.locator('#export-links a').first().getAttribute('href')).toContain(`team=${ids.team}`)
      await page.goBack()
      await page.waitForURL((url) => !url.search.includes('team'))
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor({ state: 'detached' })
    })
  })

  test('back to an earlier page of the history shows the filters of its numbers', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.waitForURL(new RegExp(`team=${ids.team}`))
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor()
      await page.goto(page.url().replace(/\/\?.*/, '/help'))
      // Once this is answered: the page that comes would end it.
      await page.evaluate('setTimeout(() => history.go(-2))')
      await page.waitForURL((url) => url.pathname === '/' && url.search === '')
      await page.locator('#menu-team').waitFor()
      expect(await page.locator(`#menu-team input[value="${ids.team}"]`).isChecked()).toBe(false)
    })
  })

  test('the way to the content moves the focus there and loads nothing', async () => {
    await previews.open('/', {}, async (page) => {
      await page.evaluate('window.isHere = true')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#content$/)
      await page.locator('#content:focus').waitFor()
      await page.goBack()
      expect(await page.evaluate('window.isHere')).toBe(true)
    })
  })

  test('a shortcut works on keyboards that have its sign on Alt, and Alt with a letter is not ours', async () => {
    await previews.open('/', {}, async (page) => {
      const toPress = (init: object) =>
        `document.body.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ bubbles: true, ...init })}))`
      await page.locator('[data-key="["]').first().waitFor({ state: 'attached' })
      const before = page.url()
      for (const init of [
        { key: '[', ctrlKey: true },
        { key: '?', metaKey: true, altKey: true },
        { key: 'g', altKey: true },
      ])
        await page.evaluate(toPress(init))
      expect(page.url()).toBe(before)
      // Once this is answered: the page that comes would end it.
      await page.evaluate(`setTimeout(() => ${toPress({ key: '[', altKey: true, ctrlKey: true })})`)
      await page.waitForURL((url) => url.href !== before)
    })
  })

  test('another unit of time keeps the focus of the keyboard, and what is open in a figure', async () => {
    await previews.open('/grading', {}, async (page) => {
      const opened = page.locator('#backlog details[open]')
      await openDetails(page, '#backlog details')
      const count = await opened.count()
      expect(count).toBeGreaterThan(0)
      const link = await page.getByRole('link', { name: 'Day', exact: true }).elementHandle()
      await link?.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/period=day/)
      expect(await link?.evaluate((one) => one.isConnected)).toBe(false)
      expect(await page.locator(':focus').innerText()).toBe('Day')
      expect(await opened.count()).toBe(count)
    })
  })

  test('a chart tells its values by pointer and by arrow keys, from its own table', async () => {
    await previews.open(`/challenges/${ids.challenge}`, {}, async (page) => {
      const canvas = page.locator('#trend [data-canvas]')
      await canvas.scrollIntoViewIfNeeded()
      const box = await canvas.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 60)
      expect(await page.locator('#trend .tip-head').innerText()).toBe('Week of 31 Aug')
      await page.locator('#trend [data-plot]').focus()
      await page.keyboard.press('End')
      expect(await page.locator('#trend .tip-head').innerText()).toBe('Week of 16 Nov, so far')
      expect(await page.locator('#announcer').innerText()).toMatch(/Overdue: \d+$/)
      await page.keyboard.press('Escape')
      expect(await page.locator('#trend .tip').isVisible()).toBe(false)
    })
  })

  test.runIf(isLong)('a picker begins with its search, and says where nothing is found', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-challenge summary').click()
      await page.locator('[data-picker-search]:focus').waitFor()
      await page.keyboard.type('no such thing')
      expect(await page.locator('#menu-challenge [data-picker-nothing]').isVisible()).toBe(true)
      await page.keyboard.press('Control+a')
      await page.keyboard.type('security aw')
      expect(await page.locator('#menu-challenge [data-picker-nothing]').isVisible()).toBe(false)
      expect(await page.locator('#menu-challenge label:visible').allInnerTexts()).toEqual([
        'Security awareness 2026',
      ])
    })
  })

  test('an address that is not shown is, where a browser lets nothing copy it, and is then selected', async () => {
    await previews.open(`${empty.url}/setup`, {}, async (page) => {
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("plain http"))')
      await page.locator('[data-copy=ingest-url]').click()
      await page.locator('#announcer', { hasText: 'copy it with the keyboard' }).waitFor()
      expect(await page.evaluate('getSelection().toString()')).toContain('/webhooks/Zm9v')
    })
  })

  test('the set-up page sees the first event land without being loaded again', async () => {
    let landed = false
    const deps = (own: DashboardsDeps) => ({
      setup: () => ((landed ? own : beforeFirst(own)).setup ?? own.setup)(),
    })
    const server = await listen(await startPreview({ deps }))
    await previews.open(`${server.url}/setup`, {}, async (page) => {
      await page.getByText('Nothing has arrived yet').waitFor()
      landed = true
      await page.getByText('Nothing has arrived yet').waitFor({ state: 'detached' })
    })
    await server.stop()
  })
})

describe.skipIf(isLong)('over HTTP', () => {
  const { read } = previews

  test('what was only viewed or started is counted on the page of changes, and listed where it is asked for', async () => {
    const html = await read('/changes?since=week')
    const [, link = '', others] = /Not listed: <a href="([^"]*)">(\d+) other assignments/.exec(html) ?? []
    expect([link.includes('kind=other'), Number(others) > 0]).toEqual([true, true])
    expect(await read(link.replaceAll('&amp;', '&'))).not.toContain('Not listed')
  })

  test('every page that compares says with which moment: four weeks ago, or the end of the last month', async () => {
    for (const path of ['/', `/teams/${ids.team}`]) {
      for (const [query, words] of [
        ['', 'vs. 4 weeks ago'],
        ['?compare=last_month', 'vs. last month'],
      ] as const) {
        const said = (await read(path + query)).match(/(?<=[a-z\d] )vs\. [a-z\d ]+/g)
        expect([path, new Set(said)]).toEqual([path, new Set([words])])
      }
    }
  })

  test.each(['/', '/assignments', '/learners', '/challenges', '/teams', '/managers'])(
    '%s offers to clear the filters that exclude everything, and has no good news',
    async (path) => {
      const html = await read(`${path}?user=nobody`)
      expect(html).toMatch(/Clear/)
      expect(html).not.toMatch(/Is data arriving\?|[Nn]o one is overdue|class="marks"/)
    },
  )

  test('unknown keys are ignored with a notice; what the reader typed is never markup', async () => {
    const html = await read('/?bogus=1&team=%3Cimg%20src%3Dx%3E')
    expect(html).toContain('“bogus”')
    expect(html).not.toContain('<img src=x')
  })

  test('what cannot be used is left out with a notice, and out of every link to the API, which would refuse it', async () => {
    const html = await read(`/?period=sideways&due_from=2026-13-01&team=${ids.team}`)
    expect(html).toContain('Ignored: “sideways” is not a value of “period”.')
    const links = [...html.matchAll(/href="(\/api\/[^"]+)"/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) {
      const params = new URL(link.replaceAll('&amp;', '&'), 'http://here').searchParams
      expect(params.getAll('team'), link).toEqual([ids.team])
      const scope = parseScope(params, { now: filledNow, settings, ignore: ['format', 'metric'] })
      expect(scope.problems, link).toEqual([])
    }
  })
})

test('a form that is sent by a double click is sent once, and again when it is sent later', async () => {
  await previews.open(`${empty.url}/setup`, { prepare: (_, page) => holdTime(page) }, async (page) => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    // The first answer takes until both clicks have come; each leaves the page as it is.
    const { promise: clicked, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await clicked
      await route.fulfill({ status: 204 }).catch(() => undefined)
    })
    const form = page.locator('main form[method=post]').first()
    const button = form.locator('button').first()
    await button.scrollIntoViewIfNeeded()
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 }
    // By the mouse, which waits for no answer.
    await page.mouse.dblclick(x + 5, y + 5, { delay: 120 })
    await expect.poll(() => sent.length).toBe(1)
    answer()
    const passTime = async () => {
      await page.clock.runFor(1_001)
      return page.evaluate('performance.now()')
    }
    // It stands still as long as the answer is awaited.
    await expect.poll(passTime).toBeGreaterThan(1_000)
    // Told apart, it comes after every request of the double click.
    await form.evaluate((one) => one.setAttribute('action', `${one.getAttribute('action')}?later`))
    const later = page.waitForRequest(/later$/)
    await page.mouse.click(x + 5, y + 5)
    await later
    expect(sent.map((url) => new URL(url).search)).toEqual(['', '?later'])
  })
})

test('selects all people of the list at once, and opens one text and all addresses for them', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  // A button says for two seconds that it has copied.
  await previews.open('/overdue', { permissions, prepare: (_, page) => holdTime(page) }, async (page) => {
    await page.getByLabel('Select all').check()
    const count = await page.locator('.tick:checked').count()
    expect(count).toBeGreaterThan(4)
    await page.getByRole('button', { name: 'Remind selected' }).click()
    await page.getByRole('heading', { name: 'Send reminders' }).waitFor()
    expect(new URL(page.url()).searchParams.getAll('user')).toHaveLength(count)
    await page.getByRole('button', { name: /^Copy \d+ addresses/ }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^[\w.-]+@example\.com; /)
    expect(await page.locator('#text').innerText()).toMatch(
      /^Hello,\s+Some of your assignments are overdue\./,
    )
    const all = await page.getByRole('link', { name: /^Write to all/ }).getAttribute('href')
    const addresses = new URLSearchParams(all?.split('?')[1]).get('bcc')?.split(',') ?? []
    expect(addresses.length).toBeGreaterThan(4)
  })
})

test('groups the overdue by manager, and reminds all people of one manager in one go', async () => {
  await previews.open('/overdue?group=manager', {}, async (page) => {
    const row = page.locator('#by-manager tbody tr').first()
    const remind = await row.getByRole('link', { name: /^Remind all/ }).getAttribute('href')
    expect(remind).toMatch(/^\/remind\?manager=\d+&manager_depth=1/)
    await row.getByRole('link').first().click()
    expect(new URL(page.url()).search).toMatch(/^\?manager=\d+&manager_depth=1$/)
  })
})

test('prints everyone with one button', async () => {
  const prepare = (context: BrowserContext) =>
    context.addInitScript('window.print = () => (window.printed = true)')
  await previews.open('/overdue', { prepare }, async (page) => {
    await page.locator('#print').getByText('Print').click()
    await page.waitForFunction('window.printed === true')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#people tbody tr').count()).toBeGreaterThan(4)
    for (const each of await page.locator('.no-print').all()) expect(await each.isVisible()).toBe(false)
  })
})

test('a line leads to its page and takes the filters along', async () => {
  await previews.open(`/?team=${ids.team}&range=90d`, {}, async (page) => {
    await page.locator('#by-challenge th[scope=row] a').first().click()
    await page.waitForURL(/\/challenges\//)
    expect(new URL(page.url()).searchParams.get('team')).toBe(ids.team)
    expect(await page.locator('.crumb').innerText()).toBe('Challenges')
  })
})

test.runIf(isLong)(
  'without a script the lines are sorted by their heads and searched by the form',
  async () => {
    await previews.open(`/challenges?team=${ids.team}`, { javaScriptEnabled: false }, async (page) => {
      await page.locator('.lines thead a', { hasText: 'Overdue' }).click()
      expect(await page.locator('th[aria-sort]').innerText()).toContain('Overdue')
      await page.getByRole('searchbox', { name: 'Find', exact: true }).fill('price')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      for (const name of await page.locator('.lines tbody th').allInnerTexts())
        expect(name.toLowerCase()).toContain('price')
      expect(new URL(page.url()).searchParams.get('team')).toBe(ids.team)
    })
  },
)
