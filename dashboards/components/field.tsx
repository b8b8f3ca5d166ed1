import type { Child, JSX } from 'hono/jsx'
import { isolateText, t } from '../../language/translate.ts'

export function Field({ label, ...input }: JSX.IntrinsicElements['input'] & { label: string }) {
  return (
    <label>
      {label}
      <input {...input} />
    </label>
  )
}

/** As whom somebody signs in: an e-mail, or another name that an owner has entered, which no field for e-mails would send. */
export function LoginField(input: { value?: string; readonly?: boolean }) {
  const typed = {
    inputmode: 'email',
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: false,
  } as const
  return <Field label={t('Email')} name="login" required maxlength={320} {...typed} {...input} />
}

export function PasswordField({
  isNew = false,
  ...input
}: {
  label: string
  name: string
  isNew?: boolean
  minlength?: number
}) {
  const autocomplete = isNew ? 'new-password' : 'current-password'
  return <Field type="password" required maxlength={1024} autocomplete={autocomplete} {...input} />
}

export function SearchField(input: { value?: string; autofocus?: boolean }) {
  const name = t('Person, team, challenge, page or definition')
  return <input type="search" name="q" aria-label={name} placeholder={name} autocomplete="off" {...input} />
}

export function Hidden({ fields }: { fields: Iterable<readonly [name: string, value: string | number]> }) {
  return (
    <>
      {[...fields].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

type FormProps = {
  action: string
  button: string
  /** The value of the button, for addresses that do several things. */
  does?: string
  hidden?: Readonly<Record<string, string>>
  /** Default: the button of a page's main form. */
  kind?: 'primary' | 'quiet'
  children?: Child
}

/** A form with one button, as on every page of forms. */
export function Form({ action, button, does, hidden = {}, kind = 'primary', children }: FormProps) {
  return (
    <form method="post" action={action} class="access-form">
      <Hidden fields={Object.entries(hidden)} />
      {children}
      <button
        class={kind === 'primary' ? 'button primary' : 'button'}
        {...(does !== undefined && { name: 'do', value: does })}
      >
        {button}
      </button>
    </form>
  )
}

type RowMenuProps = { id: string; of: string; children?: Child }

/** The other actions of a row, behind one button. A popover: no table cuts it off, and it needs no script. */
export function RowMenu({ id, of, children }: RowMenuProps) {
  return (
    <>
      <button type="button" class="button" popovertarget={id} aria-label={t('More actions: {of}', { of })}>
        …
      </button>
      <div id={id} popover="auto" class="row-menu" role="dialog" aria-label={of}>
        <p>
          <strong>{isolateText(of)}</strong>
        </p>
        {children}
      </div>
    </>
  )
}

/** `form`: its id, for a button outside of it. */
type ActProps = { does: string; says: string; of: string; form?: string }

/** A button of a form with several, or of a line of a list. `of`: its object, for screen readers. */
export function Act({ does, says, of, ...button }: ActProps) {
  return (
    <button class="button" name="do" value={does} {...button}>
      {says}
      <span class="visually-hidden"> {of}</span>
    </button>
  )
}

/** A button of a form that asks before it acts: for what cannot be undone. `asks`: what happens then. */
export function Confirm({ says, asks, yes, ...act }: ActProps & { asks: string; yes: string }) {
  return (
    <details class="confirm">
      <summary class="button">
        {says}
        <span class="visually-hidden"> {act.of}</span>
      </summary>
      <p>{asks}</p>
      <Act says={yes} {...act} />
    </details>
  )
}

type SelectProps = {
  label: string
  name: string
  /** `lang`: of the text, where it is not that of the page. */
  options: readonly (readonly [value: string | number, text: string, lang?: string])[]
  chosen?: string | number
}

export function Select({ label, name, options, chosen }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map(([value, text, lang]) => (
          <option value={value} lang={lang} selected={value === chosen}>
            {isolateText(text)}
          </option>
        ))}
      </select>
    </label>
  )
}
