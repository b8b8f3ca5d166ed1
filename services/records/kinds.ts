/** Every kind of record: how long it is kept, and what an erasure does with it. Its schema is in the room that uses it. */

export type KindRules = {
  /** Kept this long after its last change. Default: until it is removed. */
  keepDays?: number
  /** Fields that hold a login, an email or a user id. The erasure of that person deletes the record. `key`: any part of the key. */
  about?: readonly string[]
  /** Fields in which an erasure replaces logins and names. */
  texts?: readonly string[]
  /** A view of analysts reads it. */
  forAnalysts?: boolean
}

export const kinds = {
  /** By login: role and password. */
  person: { about: ['key', 'user_id'] },
  /** By login: how someone gets digests, and their last visit. */
  subscription: { about: ['key', 'email', 'user_id'] },
  /** By id. */
  token: { texts: ['name'] },
  /** By id of the token: when it was last used. */
  token_use: {},
  /** By subject: what ends a session before its time. */
  session_end: { keepDays: 31 },
  view: { about: ['login'], texts: ['name', 'query'] },
  note: { texts: ['login', 'text'] },
  /** By id. */
  guide_order: { texts: ['askedBy', 'reason', 'guideTitle'], forAnalysts: true },
  /** By guide and person. */
  guide_claim: { texts: ['detail'], forAnalysts: true },
  /** The targets of the company, in one record. */
  targets: {},
  /** By kind and recipient: claims of what is sent once. */
  send: { keepDays: 400, about: ['key', 'address'] },
  /** By the key of the link that ends reminders. */
  reminder: { keepDays: 400, about: ['user_id'], texts: ['asked_by'] },
  /** By user id, also after an erasure: this person wants no reminders. */
  opt_out: {},
  /** By alert and number. */
  alert: {},
} as const satisfies Record<string, KindRules>

export type KindName = keyof typeof kinds

export const kindsForAnalysts = Object.entries<KindRules>(kinds).flatMap(([kind, { forAnalysts }]) =>
  forAnalysts === true ? [kind] : [],
)
