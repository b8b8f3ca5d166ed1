import { readFileSync } from 'node:fs'

/** The answers worked out in `docs/golden-company.md`, by metric: under each heading of a key, its JSON block. */
export function readGoldenDocument(): Record<string, unknown> {
  const text = readFileSync(new URL('../../../docs/golden-company.md', import.meta.url), 'utf8')
  const answers = text.matchAll(/^### (\w+)\n[^#]*?```json\n([\s\S]*?)```/gm)
  return Object.fromEntries([...answers].map(([, key, json]) => [key, JSON.parse(json ?? '') as unknown]))
}

/** Fractions in the document are cut to twelve digits. */
export function toDocumentDigits(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each)),
  )
}
