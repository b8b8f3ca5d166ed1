/** `http://host:port` of a port of this machine, with a host that a browser on it can use. */
export function toLocalUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

/** The mail server of the configuration. */
export type SmtpServer = { host: string; port: number; secure: boolean; user?: string; password?: string }

/** Stricter than RFC 5321: a text that could be read as several addresses, or as another header, is refused. */
const addressForm = /^[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,64}@[^\s\p{Cc}\p{Cf}"'(),:;<>@[\]\\]{1,255}$/u

export function isAddress(text: string): boolean {
  return addressForm.test(text)
}
