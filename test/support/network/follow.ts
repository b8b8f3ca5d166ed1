/** The page after the redirect of a form, asked as its browser does: with the cookies that the answer set. */
export function follow(
  response: Response,
  ask: (path: string, cookie: string) => Response | Promise<Response>,
  cookie = '',
): Promise<Response> {
  const { pathname, search } = new URL(response.headers.get('location') ?? '', 'http://localhost')
  const set = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  return Promise.resolve(ask(`${pathname}${search}`, [cookie, ...set].filter(Boolean).join('; ')))
}
