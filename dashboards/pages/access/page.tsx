import { lookUp, t } from '../../../language/translate.ts'
import { Layout } from '../../components/layout.tsx'
import { Listing } from '../../components/listing.tsx'
import { sayProblem, type Problem } from '../../../language/problems.ts'
import type { PageContext } from '../../page-context.ts'
import type { AccessPerson, AccessToken, AuditEntry } from '../../../services/access/access-store.ts'
import { assignedRoles, roleMeanings, roles } from '../../../services/config/values/roles.ts'
import { languageOfStore } from '../../../language/language.ts'

export type AccessPageProps = {
  context: PageContext
  people: AccessPerson[]
  tokens: AccessToken[]
  audit: AuditEntry[]
  /** How people sign in, in words. */
  signIn: string
  /** A token that was just made: shown this once. */
  made?: { name: string; token: string }
  problem?: Problem
}

export function AccessPage({ context, people, tokens, audit, signIn, made, problem }: AccessPageProps) {
  return (
    <Layout context={context} title={t('Access')} sample={false}>
      <div class="access">
        <h1>{t('Access')}</h1>
        <p class="quiet">{signIn}</p>
        {problem === undefined ? null : (
          <p role="alert" class="sign-in-problem">
            {sayProblem(problem)}
          </p>
        )}
        {made === undefined ? null : (
          <p role="status">
            {t('Token {name}, shown this once:', { name: made.name })} <code>{made.token}</code>
          </p>
        )}
        <dl class="role-list">
          {roles.map((role) => (
            <div>
              <dt>{lookUp(role)}</dt>
              <dd>{lookUp(roleMeanings[role])}</dd>
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
      <h2 id="people-title">{t('People')}</h2>
      <p class="quiet">{t('Roles set here override groups from the sign-in provider.')}</p>
      <Listing
        labelledBy="people-title"
        columns={[
          t('Login'),
          t('Role'),
          t('Names'),
          t('Platform user id (if the e-mail differs)'),
          t('Password'),
          { read: t('Change') },
        ]}
        empty={t('No people yet.')}
        rows={people.map((person) => (
          <tr>
            <th scope="row">{person.login}</th>
            <td>{person.role === '' ? t('as groups say') : lookUp(person.role)}</td>
            <td>{person.role === 'analyst' ? (person.names ? t('granted') : t('withheld')) : '–'}</td>
            <td>{person.user_id === '' ? t('by e-mail') : person.user_id}</td>
            <td>{person.password === '' ? t('none') : t('set')}</td>
            <td>
              <form method="post" action="/access/people">
                <input type="hidden" name="login" value={person.login} />
                <button class="button" name="do" value="remove">
                  {t('Remove')}
                  <span class="visually-hidden"> {person.login}</span>
                </button>
                <button class="button" name="do" value="sign-out">
                  {t('Sign out everywhere')}
                  <span class="visually-hidden"> {person.login}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      />
      <form method="post" action="/access/people" class="access-form">
        <label>
          {t('Login (e-mail)')}
          <input name="login" required maxlength={320} autocomplete="off" />
        </label>
        <label>
          {t('Role')}
          <select name="role">
            {assignedRoles.map((role) => (
              <option value={role}>{role === 'nobody' ? t('blocked') : lookUp(role)}</option>
            ))}
          </select>
        </label>
        <label>
          {t('Platform user id (if the e-mail differs)')}
          <input name="user_id" maxlength={200} autocomplete="off" placeholder={t('found by e-mail')} />
        </label>
        <label class="check">
          <input type="checkbox" name="names" value="granted" /> {t('An analyst sees names')}
        </label>
        <button class="button primary" name="do" value="set">
          {t('Add person')}
        </button>
      </form>
    </section>
  )
}

function Tokens({ tokens, context: { format } }: { tokens: AccessToken[]; context: PageContext }) {
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">{t('Tokens for scripts')}</h2>
      <Listing
        labelledBy="tokens-title"
        columns={[t('Name'), t('Id'), t('Role'), t('Expires'), t('Last use'), { read: t('Change') }]}
        empty={t('There is no token.')}
        rows={tokens.map((token) => (
          <tr>
            <th scope="row">{token.name}</th>
            <td>{token.id}</td>
            <td>{lookUp(token.role)}</td>
            <td>{format.instant(new Date(token.expires_at_ms).toISOString())}</td>
            <td>{token.used_at_ms === 0 ? t('never') : format.instant(new Date(token.used_at_ms).toISOString())}</td>
            <td>
              <form method="post" action="/access/tokens">
                <input type="hidden" name="id" value={token.id} />
                <button class="button" name="do" value="revoke">
                  {t('Revoke')}
                  <span class="visually-hidden"> {token.name}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      />
      <form method="post" action="/access/tokens" class="access-form">
        <label>
          {t('Name')}
          <input name="name" required maxlength={100} autocomplete="off" />
        </label>
        <label>
          {t('Role')}
          <select name="role">
            {roles.toReversed().map((role) => (
              <option value={role}>{lookUp(role)}</option>
            ))}
          </select>
        </label>
        <label>
          {t('Id at the platform, of a manager')}
          <input name="user_id" maxlength={200} autocomplete="off" />
        </label>
        <label>
          {t('Days until it expires')}
          <input name="days" type="number" min={1} max={3650} value="90" required />
        </label>
        <label class="check">
          <input type="checkbox" name="names" value="granted" /> {t('May see names (analysts)')}
        </label>
        <button class="button primary" name="do" value="create">
          {t('Create token')}
        </button>
      </form>
    </section>
  )
}

function Audit({ audit, context: { format } }: { audit: AuditEntry[]; context: PageContext }) {
  return (
    <section aria-labelledby="audit-title">
      <h2 id="audit-title">{t('Audit')}</h2>
      <Listing
        labelledBy="audit-title"
        columns={[t('When'), t('Who'), t('What'), t('Details'), t('From')]}
        empty={t('Nothing yet.')}
        rows={audit.map((entry) => (
          <tr>
            <td>{format.instant(new Date(entry.at_ms).toISOString())}</td>
            <td>{entry.login === '' ? '–' : entry.login}</td>
            <td lang={languageOfStore()}>{entry.action.replaceAll('_', ' ')}</td>
            <td class="audit-detail" lang={languageOfStore()}>
              {entry.detail}
            </td>
            <td>{entry.address}</td>
          </tr>
        ))}
      />
    </section>
  )
}
