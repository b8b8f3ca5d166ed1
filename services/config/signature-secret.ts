/** Which deliveries must be signed, and how: settings only; ingest does the check. */
import { setting, toEntries } from './setting.ts'
import { sourceName } from './token.ts'

const signatureSchemes = ['standard', 'workramp'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]
export type SignatureSecret = { source: string; scheme: SignatureScheme; secret: Uint8Array }

/** `name=scheme:secret,...`; several secrets of one name are all valid, for rotation. */
export const signatureSecretList = setting((text, refuse) =>
  toEntries(text).map((entry, index): SignatureSecret => {
    const place = `entry ${index + 1}`
    const [, source = '', word = '', value = ''] = /^([^=]+)=([a-z]+):(.+)$/.exec(entry) ?? []
    const scheme = signatureSchemes.find((each) => each === word)
    if (scheme === undefined || !sourceName.test(source)) {
      return refuse(`${place} must be name=scheme:secret, scheme one of ${signatureSchemes.join(', ')}`)
    }
    const secret = scheme === 'standard' ? readStandardSecret(value) : Buffer.from(value)
    if (secret === undefined) return refuse(`${place} (${source}) must be whsec_ and the secret in base64`)
    if (secret.byteLength < 16) return refuse(`${place} (${source}) is shorter than 16 bytes`)
    return { source, scheme, secret }
  }),
)

function readStandardSecret(text: string): Uint8Array | undefined {
  const base64 = text.replace(/^whsec_/, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined
}
