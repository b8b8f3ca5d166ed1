/** Which deliveries must be signed, and how: settings only; ingest does the check. */
import { z } from 'zod'
import { sourceName } from './token.ts'

export const signatureSchemes = ['standard', 'workramp'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]
export type SignatureSecret = { source: string; scheme: SignatureScheme; secret: Uint8Array }

/** `name=scheme:secret,...`; several secrets of one name are all valid, for rotation. */
export const signatureSecretList = z.string().transform((text, context) => {
  const secrets: SignatureSecret[] = []
  for (const [index, entry] of text
    .split(',')
    .map((part) => part.trim())
    .entries()) {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message: `entry ${index + 1} ${message}` })
    const match = /^([^=]+)=([a-z]+):(.+)$/.exec(entry)
    const [, source = '', word = '', value = ''] = match ?? []
    const scheme = signatureSchemes.find((known) => known === word)
    if (scheme === undefined || !sourceName.test(source)) {
      refuse(`must be name=scheme:secret, scheme one of ${signatureSchemes.join(', ')}`)
      continue
    }
    const secret = scheme === 'standard' ? readStandardSecret(value) : Buffer.from(value)
    if (secret === undefined) refuse(`(${source}) must be whsec_ and the secret in base64`)
    else if (secret.byteLength < 16) refuse(`(${source}) is shorter than 16 bytes`)
    else secrets.push({ source, scheme, secret })
  }
  return secrets
})

function readStandardSecret(text: string): Uint8Array | undefined {
  const base64 = text.replace(/^whsec_/, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined
}
