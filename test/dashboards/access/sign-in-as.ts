/** Somebody who has signed in to the company by a password. */
import type { Role } from '../../../services/config/values/roles.ts'
import { password, type Company } from './company.ts'

export type Visit = {
  cookie: string
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  read(path: string): Promise<string>
}

export async function signInAs(company: Company, login: string, role: Role): Promise<Visit> {
  await company.addPassword(login, password, role)
  const cookie = await company.signIn(login)
  return {
    cookie,
    post: async (path, fields, headers = {}) =>
      company.app.request(path, { method: 'POST', body: new URLSearchParams(fields), headers: { cookie, ...headers } }),
    read: async (path) => (await company.app.request(path, { headers: { cookie } })).text(),
  }
}
