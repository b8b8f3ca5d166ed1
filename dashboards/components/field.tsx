import type { JSX } from 'hono/jsx'

type FieldProps = JSX.IntrinsicElements['input'] & { label: string }

/** An input and its name. */
export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input {...input} />
    </label>
  )
}

type SelectProps = {
  label: string
  name: string
  options: readonly (readonly [value: string | number, text: string])[]
  /** Default: the first one. */
  chosen?: string | number
}

/** A choice of one and its name. */
export function Select({ label, name, options, chosen }: SelectProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
