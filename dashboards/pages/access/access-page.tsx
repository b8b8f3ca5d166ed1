import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import type { AccessPerson, AccessToken, AuditEntry } from '../../../services/access/access-store.ts'
import { assignedRoles, roleMeanings, roles } from '../../../services/access/roles.ts'

export type AccessPageProps = {
  context: PageContext
  people: AccessPerson[]
  tokens: AccessToken[]
  audit: AuditEntry[]
  /** How people sign in, in words. */
  signIn: string
  /** A token that was just made: shown this once. */
  made?: { name: string; token: string }
  problem?: string
}

export function AccessPage({ context, people, tokens, audit, signIn, made, problem }: AccessPageProps) {
  return (
    <Layout context={context} title="Access" sample={false}>
      <div class="access">
        <h1>Access</h1>
        <p class="quiet">{signIn}</p>
        {problem === undefined ? null : (
          <p role="alert" class="sign-in-problem">
            {problem}
          </p>
        )}
        {made === undefined ? null : (
          <p role="status">
            Token {made.name}, shown this once: <code>{made.token}</code>
          </p>
        )}
        <dl class="role-list">
          {roles.map((role) => (
            <div>
              <dt>{role}</dt>
              <dd>{roleMeanings[role]}</dd>
            </div>
          ))}
        </dl>
        <People people={people} />
        <Tokens tokens={tokens} context={context} />
        <Audit audit={audit} context={context} />
      </div>
    </Layout>
  )
}

function People({ people }: { people: AccessPerson[] }) {
  return (
    <section aria-labelledby="people-title">
      <h2 id="people-title">People</h2>
      <p class="quiet">What stands here goes before what groups of the sign-in provider say.</p>
      <div class="scroll" tabindex={0} role="group" aria-labelledby="people-title">
        <table>
          <thead>
            <tr>
              <th scope="col">Login</th>
              <th scope="col">Role</th>
              <th scope="col">Names</th>
              <th scope="col">Id at the platform</th>
              <th scope="col">Password</th>
              <th scope="col">
                <span class="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr>
                <th scope="row">{person.login}</th>
                <td>{person.role === '' ? 'as groups say' : person.role}</td>
                <td>{person.role === 'analyst' ? (person.names ? 'granted' : 'withheld') : '–'}</td>
                <td>{person.user_id === '' ? 'by e-mail' : person.user_id}</td>
                <td>{person.password === '' ? 'none' : 'set'}</td>
                <td>
                  <form method="post" action="/access/people">
                    <input type="hidden" name="login" value={person.login} />
                    <button class="button" name="do" value="remove">
                      Remove<span class="visually-hidden"> {person.login}</span>
                    </button>
                    <button class="button" name="do" value="sign-out">
                      Sign out everywhere<span class="visually-hidden"> {person.login}</span>
                    </button>
                  </form>
                </td>
              </tr>
            ))}
            {people.length === 0 ? (
              <tr>
                <td colspan={6}>Nobody is entered yet.</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      <form method="post" action="/access/people" class="access-form">
        <label>
          Login (e-mail)
          <input name="login" required maxlength={320} autocomplete="off" />
        </label>
        <label>
          Role
          <select name="role">
            {assignedRoles.map((role) => (
              <option value={role}>{role === 'nobody' ? 'nobody (may not come in)' : role}</option>
            ))}
          </select>
        </label>
        <label>
          Id at the platform
          <input name="user_id" maxlength={200} autocomplete="off" placeholder="found by e-mail" />
        </label>
        <label class="check">
          <input type="checkbox" name="names" value="granted" /> An analyst sees names
        </label>
        <button class="button primary" name="do" value="set">
          Set role
        </button>
      </form>
    </section>
  )
}

function Tokens({ tokens, context: { format } }: { tokens: AccessToken[]; context: PageContext }) {
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens for scripts</h2>
      <div class="scroll" tabindex={0} role="group" aria-labelledby="tokens-title">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Id</th>
              <th scope="col">Role</th>
              <th scope="col">Expires</th>
              <th scope="col">Last use</th>
              <th scope="col">
                <span class="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr>
                <th scope="row">{token.name}</th>
                <td>{token.id}</td>
                <td>{token.role}</td>
                <td>{format.instant(new Date(token.expires_at_ms).toISOString())}</td>
                <td>{token.used_at_ms === 0 ? 'never' : format.instant(new Date(token.used_at_ms).toISOString())}</td>
                <td>
                  <form method="post" action="/access/tokens">
                    <input type="hidden" name="id" value={token.id} />
                    <button class="button" name="do" value="revoke">
                      Revoke<span class="visually-hidden"> {token.name}</span>
                    </button>
                  </form>
                </td>
              </tr>
            ))}
            {tokens.length === 0 ? (
              <tr>
                <td colspan={6}>There is no token.</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      <form method="post" action="/access/tokens" class="access-form">
        <label>
          Name
          <input name="name" required maxlength={100} autocomplete="off" />
        </label>
        <label>
          Role
          <select name="role">
            {roles.toReversed().map((role) => (
              <option value={role}>{role}</option>
            ))}
          </select>
        </label>
        <label>
          Id at the platform, of a manager
          <input name="user_id" maxlength={200} autocomplete="off" />
        </label>
        <label>
          Days until it expires
          <input name="days" type="number" min={1} max={3650} value="90" required />
        </label>
        <label class="check">
          <input type="checkbox" name="names" value="granted" /> As analyst, with names
        </label>
        <button class="button primary" name="do" value="create">
          Make a token
        </button>
      </form>
    </section>
  )
}

function Audit({ audit, context: { format } }: { audit: AuditEntry[]; context: PageContext }) {
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title">Audit</h2>
      <div class="scroll" tabindex={0} role="group" aria-labelledby="audit-title">
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Of what</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {audit.map((entry) => (
              <tr>
                <td>{format.instant(new Date(entry.at_ms).toISOString())}</td>
                <td>{entry.login === '' ? '–' : entry.login}</td>
                <td>{entry.action.replaceAll('_', ' ')}</td>
                <td class="audit-detail">{entry.detail}</td>
                <td>{entry.address}</td>
              </tr>
            ))}
            {audit.length === 0 ? (
              <tr>
                <td colspan={5}>Nothing yet.</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
    </section>
  )
}
