import { lookUp, rich, t, type Message } from '../../../language/translate.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { ListPanel } from '../../components/section.tsx'
import { ShownOnce } from '../../components/messages.tsx'
import { column, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import type { AccessPerson, AccessToken, AuditEntry } from '../../../services/access/access-store.ts'
import { sayUnassigned, type AccessSettings } from '../../../services/access/access.ts'
import type { SignInMode } from '../../access/entrance.ts'
import {
  assignedRoles,
  roleMeanings,
  roles,
  type AssignedRole,
} from '../../../services/config/values/roles.ts'
import { linkHours } from '../../../services/access/password-links.ts'
import { languageOfStore } from '../../../language/language.ts'
import { Behind } from '../../components/behind.tsx'
import { Act, Confirm, Field, Form, Hidden, RowMenu, Select } from '../../components/field.tsx'

type AccessPageProps = {
  context: PageContext
  people: AccessPerson[]
  tokens: AccessToken[]
  audit: AuditEntry[]
  mode: SignInMode
  settings: Pick<AccessSettings, 'owners' | 'rules'>
  /** Whether a mail with a link goes to the people who are added. */
  canMail: boolean
  once: Once | undefined
}

/** A new token or link: shown this once. */
export type Once = { kind: 'token' | 'link'; name: string; secret: string }

const signInWords: Record<SignInMode, Message> = {
  none: 'Sign-in is off, so roles have no effect yet.',
  password: 'People sign in with a password.',
  oidc: 'People sign in at the OpenID provider of the organisation.',
  proxy: 'Sign-in is handled by a proxy.',
}

export function AccessPage(props: AccessPageProps) {
  const { context, people, tokens, audit, mode, canMail, once } = props
  const isGrouped = mode === 'oidc' || mode === 'proxy'
  return (
    <PlainPage context={context} title={t('Access')} lead={t(signInWords[mode])}>
      {once === undefined ? null : <Made {...once} />}
      <ListPanel
        id="people"
        context={context}
        table={toPeopleTable(props)}
        rows={people}
        empty={t('No people yet.')}
        {...(isGrouped && { lead: t('Roles set here override groups from the sign-in provider.') })}
      >
        <h3>{t('Add a person')}</h3>
        {mode !== 'password' ? null : (
          <p class="quiet">
            {canMail
              ? t('People without a password get an email with a link to set one.')
              : t('Email is off (SMTP_URL). You get a link to pass on to each person without a password.')}
          </p>
        )}
        <Form action="/access/people" does="add" button={t('Add person')}>
          <Field label={t('Login (email)')} name="login" required maxlength={320} autocomplete="off" />
          <RoleSelect options={assignedRoles} />
          <RoleFields idLabel={t('Platform user id (if the email differs)')} />
        </Form>
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
      </ListPanel>
      <ListPanel
        id="tokens"
        context={context}
        table={tokensTable}
        rows={tokens}
        empty={t('There is no token.')}
      >
        <h3>{t('Add a token')}</h3>
        <Form action="/access/tokens" does="create" button={t('Create token')}>
          <Field label={t('Name')} name="name" required maxlength={100} autocomplete="off" />
          <RoleSelect options={roles} />
          <RoleFields idLabel={t('Platform user id (managers)')} />
          <Field
            label={t('Days until it expires')}
            name="days"
            type="number"
            min={1}
            max={3650}
            value="90"
            required
          />
        </Form>
      </ListPanel>
      <ListPanel id="audit" context={context} table={auditTable} rows={audit} empty={t('Nothing yet.')} />
    </PlainPage>
  )
}

function Made({ kind, name, secret }: Once) {
  return (
    <ShownOnce label={kind === 'token' ? t('The new token') : t('The new link')} secret={secret}>
      <p>
        {kind === 'token'
          ? t('Copy the token “{name}” now. It will not be shown again.', { name })
          : rich(
              '<strong>Pass this link on to {login}.</strong> It sets a password, works once, and expires in {hours} hours. It will not be shown again.',
              { strong: (text) => <strong>{text}</strong>, login: name, hours: String(linkHours) },
            )}
      </p>
    </ShownOnce>
  )
}

/** Each row is one form: the fields and buttons of its menu belong to it, too. */
function toPeopleTable({ people, mode, settings, canMail }: AccessPageProps): Table<AccessPerson> {
  const toNote = ({ login, role, names, user_id: id, password }: AccessPerson) =>
    [
      role === '' && t(sayUnassigned(login, settings)),
      names && t('sees names'),
      id !== '' && t('platform id {id}', { id }),
      mode === 'password' && password === '' && t('no password'),
    ]
      .filter(Boolean)
      .join(', ')
  const toForm = (person: AccessPerson) => `person-${people.indexOf(person)}`
  return {
    label: 'People',
    className: 'list-cards',
    columns: [
      column('text', 'login', 'Login', { note: toNote }),
      column('text', 'role', 'Role', {
        cell: (person) => (
          <>
            <span class="print-only">{sayRole(toChosen(person.role))}</span>
            <form method="post" action="/access/people" class="row-form" id={toForm(person)}>
              <Hidden fields={Object.entries({ login: person.login, version: person.version })} />
              <RoleSelect options={assignedRoles} of={person.login} role={person.role} />
              <Act does="set" says={t('Save')} of={person.login} />
            </form>
          </>
        ),
      }),
      column('text', 'change', 'Change', () => '', {
        cell(person) {
          const of = { of: person.login, form: toForm(person) }
          return (
            <RowMenu id={`menu-${of.form}`} of={of.of}>
              <div class="access-form">
                <RoleFields
                  idLabel={t('Platform user id (if the email differs)')}
                  form={of.form}
                  {...person}
                />
                <Act does="set" says={t('Save')} {...of} />
              </div>
              <p class="buttons">
                {mode === 'password' ? (
                  <Act
                    does="invite"
                    says={canMail ? t('Send a password link') : t('Make a password link')}
                    {...of}
                  />
                ) : null}
                <Act does="sign-out" says={t('Sign out everywhere')} {...of} />
              </p>
              <Confirm
                does="remove"
                says={t('Remove')}
                asks={t('They are signed out and can no longer sign in.')}
                yes={t('Yes, remove')}
                {...of}
              />
            </RowMenu>
          )
        },
      }),
    ],
  }
}

function sayRole(role: AssignedRole): string {
  return role === 'nobody' ? t('blocked') : lookUp(role)
}

/** A form that is saved without a choice gives no one more than they have. */
const toChosen = (role: AccessPerson['role']) => (role === '' ? 'nobody' : role)

type RoleSelectProps = { options: readonly AssignedRole[]; role?: AccessPerson['role']; of?: string }

/** `of`: whose role, in a row. Default: a new one. */
function RoleSelect({ options, role, of }: RoleSelectProps) {
  const label = of === undefined ? t('Role') : t('Role of {login}', { login: of })
  return (
    <Select
      label={label}
      name="role"
      options={options.map((each) => [each, sayRole(each)])}
      chosen={role === undefined ? 'manager' : toChosen(role)}
    />
  )
}

type RoleFieldsProps = Partial<Pick<AccessPerson, 'user_id' | 'names'>> & { idLabel: string; form?: string }

/** What comes with the role of a person or a token. */
function RoleFields({ idLabel, user_id, names = false, form }: RoleFieldsProps) {
  return (
    <>
      <Field label={idLabel} name="user_id" maxlength={200} autocomplete="off" value={user_id} form={form} />
      <label class="check">
        <input type="checkbox" name="names" value="granted" checked={names} form={form} />{' '}
        {t('May see names (analysts)')}
      </label>
    </>
  )
}

const tokensTable: Table<AccessToken> = {
  label: 'Tokens for scripts',
  className: 'list-cards',
  columns: [
    column('text', 'name', 'Name'),
    column('text', 'id', 'Id', { optional: true }),
    column('text', 'role', 'Role', ({ role }) => sayRole(role)),
    column('instant', 'expires', 'Expires', (token) => new Date(token.expires_at_ms).toISOString()),
    column('text', 'last_use', 'Last use', (token) => token.used_at_ms, {
      cell: ({ used_at_ms: at }, { format }) => (at === 0 ? t('never') : format.instant(at)),
    }),
    column('text', 'change', 'Change', () => '', {
      cell: ({ id, name }) => (
        <form method="post" action="/access/tokens">
          <Hidden fields={[['id', id]]} />
          <Act does="revoke" says={t('Revoke')} of={name} />
        </form>
      ),
    }),
  ],
}

const auditTable: Table<AuditEntry> = {
  label: 'Audit',
  className: 'list-cards',
  columns: [
    column('text', 'at', 'When', ({ at_ms }) => at_ms, {
      cell: ({ at_ms }, { format }) => format.instant(at_ms),
    }),
    column('text', 'login', 'Who', ({ login }) => login || '–'),
    column('text', 'action', 'What', {
      cell: ({ action }) => <span lang={languageOfStore()}>{action.replaceAll('_', ' ')}</span>,
    }),
    column('text', 'detail', 'Details', {
      cell: ({ detail }) => (
        <span class="audit-detail" lang={languageOfStore()}>
          {detail}
        </span>
      ),
    }),
    column('text', 'address', 'From', { optional: true }),
  ],
}
