/** Somebody who has signed in to the company by a password. */
import type { Role } from '../../../services/config/values/roles.ts'
import type { Company } from './company.ts'

export type Visit = {
  cookie: string
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  read(path: string): Promise<string>
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

export async function signInAs(company: Company, login: string, role: Role): Promise<Visit> {
  const password = 'correct horse battery'
  await company.addPassword(login, password, role)
  const send = async (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
    company.app.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { ...form, ...headers },
    })
  const signedIn = await send('/sign-in', { login, password, back: '/' }, {})
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    cookie,
    post: (path, fields, headers = {}) => send(path, fields, { cookie, ...headers }),
    read: async (path) => (await company.app.request(path, { headers: { cookie } })).text(),
  }
}
