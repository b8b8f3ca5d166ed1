/** A page of forms is data: its path, how it shows itself, and what each of its forms does. */
import type { Context, Hono } from 'hono'
import type { RouteContext } from '../dashboards-deps.ts'
import type { OutcomeProps } from '../page-context.ts'
import { setOutcome } from './frame-first.ts'
import { formLimit, readForm, type Sent } from './read-form.ts'

/** What a form did. With a `problem` it did nothing. A response is sent as it is. */
export type Did = (OutcomeProps & { status?: 401 | 403 | 429; to?: string }) | Response

export type FormsPage = {
  path: string
  /** `sent`: the form to show again. */
  show(c: Context, sent: Sent): Promise<Response>
  /** By the address to which they are sent. */
  forms: Readonly<Record<string, (sent: Sent, c: Context) => Promise<Did>>>
}

const nothing: Sent = Object.assign(() => '', { all: () => [] })

/** A form that did something leads to its page by a redirect, so that loading the page again repeats nothing. Else the page shows again. */
export function mountForms(app: Hono, { flash }: RouteContext, { path, show, forms }: FormsPage): void {
  app.get(path, (c) => show(c, nothing))
  for (const [address, act] of Object.entries(forms))
    app.post(address, formLimit, async (c) => {
      const sent = await readForm(c)
      const did = await act(sent, c)
      if (did instanceof Response) return did
      if (did.problem === undefined) return flash.done(c, did.to ?? path, did)
      // If someone else changed what the form shows, it is a conflict.
      const isLate = typeof did.problem !== 'string' && did.problem.code === 'changed_meanwhile'
      c.status(did.status ?? (isLate ? 409 : 400))
      setOutcome(c, did)
      return show(c, sent)
    })
}
