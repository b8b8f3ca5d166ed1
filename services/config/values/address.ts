/** What the configuration says of mail. */
export type SmtpServer = { host: string; port: number; secure: boolean; user?: string; password?: string }

/** Stricter than RFC 5321: what could be read as several addresses, or as another header, is none. */
const addressForm = /^[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,64}@[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,255}$/u

export function isAddress(text: string): boolean {
  return addressForm.test(text)
}
