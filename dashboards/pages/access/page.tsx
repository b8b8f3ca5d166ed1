import type { Child } from 'hono/jsx'
import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { ShownOnce } from '../../components/messages.tsx'
import { Listing } from '../../components/listing.tsx'
import type { Problem } from '../../../language/problems.ts'
import type { PageContext } from '../../page-context.ts'
import type { AccessPerson, AccessToken, AuditEntry } from '../../../services/access/access-store.ts'
import { sayUnassigned, type AccessSettings } from '../../../services/access/access.ts'
import type { SignInMode } from '../../access/entrance.ts'
import {
  assignedRoles,
  removedRole,
  roleMeanings,
  roles,
  type AssignedRole,
} from '../../../services/config/values/roles.ts'
import { linkHours } from '../../../services/access/password-links.ts'
import { languageOfStore } from '../../../language/language.ts'
import { Behind } from '../../components/behind.tsx'
import { Act, Confirm, Field, Select } from '../../components/field.tsx'

export type AccessPageProps = {
  context: PageContext
  people: AccessPerson[]
  tokens: AccessToken[]
  audit: AuditEntry[]
  mode: SignInMode['kind']
  settings: Pick<AccessSettings, 'owners' | 'rules'>
  /** Whether a mail with a link goes to the people who are added. */
  canMail: boolean
  /** A new token or link: shown this once. */
  once?: { kind: 'token' | 'link'; name: string; secret: string }
  says?: string
  problem?: Problem | string
}

const signInWords: Record<SignInMode['kind'], Message> = {
  none: 'Sign-in is off, so roles have no effect yet.',
  password: 'People sign in with a password.',
  oidc: 'People sign in at the OpenID provider of the organisation.',
  proxy: 'People sign in at a proxy before this server.',
}

export function AccessPage(props: AccessPageProps) {
  const { context, mode, once, says, problem } = props
  return (
    <PlainPage
      context={context}
      title={t('Access')}
      lead={t(signInWords[mode])}
      says={says}
      problem={problem}
    >
      {once === undefined ? null : <Made {...once} />}
      <People {...props} />
      <Tokens {...props} />
      <Audit {...props} />
    </PlainPage>
  )
}

function Made({ kind, name, secret }: NonNullable<AccessPageProps['once']>) {
  return (
    <ShownOnce label={kind === 'token' ? t('The new token') : t('The new link')} secret={secret}>
      <p>
        {kind === 'token'
          ? t('Token {name}, shown this once:', { name })
          : rich(
              '<strong>Pass this link on to {login}.</strong> It is shown only once. It sets a password, works once, and ends after {hours} hours.',
              { strong: (text) => <strong>{text}</strong>, login: name, hours: String(linkHours) },
            )}
      </p>
    </ShownOnce>
  )
}

function People({ people, mode, settings, canMail }: AccessPageProps) {
  const hasPasswords = mode === 'password'
  return (
    <Panel id="people" title={t('People')} className="figure">
      {mode === 'oidc' || mode === 'proxy' ? (
        <p class="quiet">{t('Roles set here override groups from the sign-in provider.')}</p>
      ) : null}
      <Listing
        label={t('People')}
        columns={[
          t('Login'),
          t('Role'),
          t('Names'),
          t('Platform user id'),
          hasPasswords ? t('Password') : null,
          { read: t('Change') },
        ]}
        empty={t('No people yet.')}
        cells={people.map((person) => [
          person.login,
          person.role === '' ? t(sayUnassigned(person.login, settings)) : sayRole(person.role),
          person.role === 'analyst' ? (person.names ? t('granted') : t('withheld')) : '–',
          person.user_id === '' ? t('by e-mail') : person.user_id,
          hasPasswords ? (person.password === '' ? t('none') : t('set')) : null,
          <PersonForms person={person} hasPasswords={hasPasswords} canMail={canMail} />,
        ])}
      />
      <h3>{t('Add a person')}</h3>
      {!hasPasswords ? null : (
        <p class="quiet">
          {canMail
            ? t('People without a password get a mail with a link to set one.')
            : t(
                'No mail is sent (SMTP_URL), so you get a link for each person without a password, to pass on.',
              )}
        </p>
      )}
      <RoleForm {...ofPeople()} what="add" button={t('Add person')}>
        <Field label={t('Login (e-mail)')} name="login" required maxlength={320} autocomplete="off" />
      </RoleForm>
      <Behind summary={t('What each role sees')}>
        <dl class="role-list">
          {roles.map((role) => (
            <div>
              <dt>{lookUp(role)}</dt>
              <dd>{lookUp(roleMeanings[role])}</dd>
            </div>
          ))}
        </dl>
      </Behind>
    </Panel>
  )
}

const ofPeople = () => ({
  action: '/access/people',
  roles: assignedRoles,
  idLabel: t('Platform user id (if the e-mail differs)'),
})

type PersonFormsProps = { person: AccessPerson; hasPasswords: boolean; canMail: boolean }

function PersonForms({ person, hasPasswords, canMail }: PersonFormsProps) {
  const { login } = person
  const of = <span class="visually-hidden"> {login}</span>
  return (
    <div class="person-forms">
      <details class="confirm">
        <summary class="button">
          {t('Change')}
          {of}
        </summary>
        <RoleForm {...ofPeople()} what="set" button={t('Save')} person={person}>
          <input type="hidden" name="login" value={login} />
        </RoleForm>
      </details>
      <form method="post" action="/access/people">
        <input type="hidden" name="login" value={login} />
        {hasPasswords ? (
          <Act
            does="invite"
            says={canMail ? t('Send a password link') : t('Make a password link')}
            of={login}
          />
        ) : null}
        <Act does="sign-out" says={t('Sign out everywhere')} of={login} />
        <Confirm
          does="remove"
          says={t('Remove')}
          asks={t('Their sessions end.')}
          yes={t('Yes, remove')}
          of={login}
        />
      </form>
    </div>
  )
}

function sayRole(role: AssignedRole | typeof removedRole): string {
  if (role === removedRole) return t('{role}, which was removed: no access', { role })
  return role === 'nobody' ? t('blocked') : lookUp(role)
}

type RoleFormProps = {
  action: string
  /** The value of the button. */
  what: string
  button: string
  roles: readonly AssignedRole[]
  idLabel: string
  /** Whose role it is so far. Left out: of somebody new. */
  person?: AccessPerson
  /** The fields before and after those that both forms have. */
  children?: Child
  more?: Child
}

/** Who gets a role: a person or a token. */
function RoleForm({ action, what, button, roles, idLabel, person, children, more }: RoleFormProps) {
  const role = person?.role
  // Whoever saves the form without a choice gives nobody more.
  const chosen = role === undefined ? 'manager' : role === '' || role === removedRole ? 'nobody' : role
  return (
    <form method="post" action={action} class="access-form">
      {children}
      <Select
        label={t('Role')}
        name="role"
        options={roles.map((role) => [role, sayRole(role)])}
        chosen={chosen}
      />
      <Field label={idLabel} name="user_id" maxlength={200} autocomplete="off" value={person?.user_id} />
      {more}
      <label class="check">
        <input type="checkbox" name="names" value="granted" checked={person?.names} />{' '}
        {t('May see names (analysts)')}
      </label>
      <button class="button primary" name="do" value={what}>
        {button}
      </button>
    </form>
  )
}

function Tokens({ tokens, context: { format } }: AccessPageProps) {
  return (
    <Panel id="tokens" title={t('Tokens for scripts')} className="figure">
      <Listing
        label={t('Tokens for scripts')}
        columns={[t('Name'), t('Id'), t('Role'), t('Expires'), t('Last use'), { read: t('Change') }]}
        empty={t('There is no token.')}
        cells={tokens.map((token) => [
          token.name,
          token.id,
          sayRole(token.role),
          format.instant(token.expires_at_ms),
          token.used_at_ms === 0 ? t('never') : format.instant(token.used_at_ms),
          <form method="post" action="/access/tokens">
            <input type="hidden" name="id" value={token.id} />
            <Act does="revoke" says={t('Revoke')} of={token.name} />
          </form>,
        ])}
      />
      <RoleForm
        action="/access/tokens"
        what="create"
        button={t('Create token')}
        roles={roles}
        idLabel={t('Platform user id (managers)')}
        more={
          <Field
            label={t('Days until it expires')}
            name="days"
            type="number"
            min={1}
            max={3650}
            value="90"
            required
          />
        }
      >
        <Field label={t('Name')} name="name" required maxlength={100} autocomplete="off" />
      </RoleForm>
    </Panel>
  )
}

function Audit({ audit, context: { format } }: AccessPageProps) {
  return (
    <Panel id="audit" title={t('Audit')} className="figure">
      <Listing
        label={t('Audit')}
        columns={[t('When'), t('Who'), t('What'), t('Details'), t('From')]}
        empty={t('Nothing yet.')}
        rows={audit.map((entry) => (
          <tr>
            <td>{format.instant(entry.at_ms)}</td>
            <td>{entry.login === '' ? '–' : entry.login}</td>
            <td lang={languageOfStore()}>{entry.action.replaceAll('_', ' ')}</td>
            <td class="audit-detail" lang={languageOfStore()}>
              {entry.detail}
            </td>
            <td>{entry.address}</td>
          </tr>
        ))}
      />
    </Panel>
  )
}
