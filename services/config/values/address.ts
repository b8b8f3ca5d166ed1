/** The mail server of the configuration. */
export type SmtpServer = { host: string; port: number; secure: boolean; user?: string; password?: string }

/** Stricter than RFC 5321: a text that could be read as several addresses, or as another header, is refused. */
const addressForm = /^[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,64}@[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,255}$/u

export function isAddress(text: string): boolean {
  return addressForm.test(text)
}
