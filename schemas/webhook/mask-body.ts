/**
 * A body as text that a person may read who may not see people: its structure, and the values that our own specification says
 * are not names. A list of what may be shown, not of what may not: an unknown field can hold anything.
 */
import { parseJson } from '../json.ts'
import {
  assignmentEventTypes,
  assignmentStatuses,
  challengeAssignmentSchema,
  challengeSchema,
  userSchema,
  webhookSchema,
} from './event.ts'

/** Fields whose values are shown where they look like an id, a word, a number or an instant. */
const shown = new Set<string>([
  'eventType',
  'timestamp',
  ...Object.keys(challengeAssignmentSchema.shape),
  'id',
  'isDeleted',
  'isPermanentlyDeleted',
])

const plainValue = /^[A-Za-z0-9_.:+-]{0,64}$/
const plainKey = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/

const limits = { depth: 8, entries: 40, characters: 6_000 }
const hidden = '•••'

/** `isCut`: there is more of it. */
export type MaskedBody = { text: string; isCut: boolean }

const decoder = new TextDecoder('utf-8', { fatal: false })

export function maskBody(body: Uint8Array): MaskedBody {
  const text = decoder.decode(body)
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    const start = text.slice(0, limits.characters)
    return { text: maskWords(start), isCut: text.length > start.length }
  }
  const lines = toLines(json, '', true, 0)
  const whole = lines.join('\n')
  const isCut = whole.length > limits.characters || lines.some((line) => line.trimStart().startsWith('… '))
  return { text: whole.slice(0, limits.characters), isCut }
}

/** Something like JSON, for reading: hidden values have no quotes where they were not text. */
function toLines(value: unknown, before: string, isShown: boolean, depth: number): string[] {
  const indent = '  '.repeat(depth)
  if (typeof value !== 'object' || value === null) return [`${indent}${before}${toLeaf(value, isShown)}`]
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const entries: [string, unknown][] = isList ? value.map((item) => ['', item]) : Object.entries(value)
  if (entries.length === 0) return [`${indent}${before}${open}${close}`]
  if (depth === limits.depth) return [`${indent}${before}${open} … ${close}`]
  const inside = entries.slice(0, limits.entries).flatMap(([key, item]) => {
    const name = isList ? '' : `"${plainKey.test(key) ? key : hidden}": `
    return toLines(item, name, isList ? isShown : shown.has(key), depth + 1)
  })
  const rest = entries.length - limits.entries
  const more = rest > 0 ? [`${indent}  … ${rest} more`] : []
  return [`${indent}${before}${open}`, ...inside, ...more, `${indent}${close}`]
}

function toLeaf(value: unknown, isShown: boolean): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return isShown ? String(value) : hidden
  return isShown && typeof value === 'string' && plainValue.test(value)
    ? JSON.stringify(value)
    : `"${hidden}"`
}

const knownWords = new Set<string>([
  ...shown,
  ...[webhookSchema, userSchema, challengeSchema].flatMap(({ shape }) => Object.keys(shape)),
  ...assignmentEventTypes.flatMap((type) => type.split('.')),
  ...assignmentStatuses,
  'name',
  'true',
  'false',
  'null',
])

/** Shows the words of our specification in text that is not JSON, and the shape of the rest. */
function maskWords(text: string): string {
  return text.replace(/[\p{L}\p{M}\p{N}_]+/gu, (word) =>
    knownWords.has(word) ? word : 'x'.repeat(Math.min(word.length, 12)),
  )
}
