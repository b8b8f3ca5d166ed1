/**
 * Puts a body right by a JSON merge patch (RFC 7396): a person can write it without seeing the body, and for many bodies at
 * once. A body is refused where rewriting it would change more than the patch says.
 */
import { isObject, parseJson, stringifyJson } from '../json.ts'

export type Patch = { readonly [name: string]: unknown }

export type FixedBody = { ok: true; body: Uint8Array } | { ok: false; problem: string }

const decoder = new TextDecoder('utf-8', { fatal: true })

/** As somebody writes it; `undefined`: it is not a JSON object. */
export function parsePatch(text: string): Patch | undefined {
  try {
    const value = parseJson(text.toWellFormed())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function fixBody(body: Uint8Array, patch: Patch): FixedBody {
  let json: unknown
  try {
    const text = decoder.decode(body)
    if (hasInexactNumber(text))
      return { ok: false, problem: 'It holds a number that cannot be rewritten exactly.' }
    json = parseJson(text)
  } catch {
    return { ok: false, problem: 'It is not JSON, or nested too deeply, so no field of it can be changed.' }
  }
  if (!isObject(json)) return { ok: false, problem: 'It is not an object, so it has no fields to change.' }
  return { ok: true, body: Buffer.from(stringifyJson(mergePatch(json, patch))) }
}

function hasInexactNumber(text: string): boolean {
  let isInexact = false
  const look = (_: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined && /^-?\d+$/.test(context.source)) {
      isInexact ||= !Number.isSafeInteger(value)
    }
    return value
  }
  JSON.parse(text, look)
  return isInexact
}

/** By entries: a field named __proto__ is a field like any other. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
