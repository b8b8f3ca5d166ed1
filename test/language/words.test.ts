/** One word for one thing, in the documents and in the texts of pages: `words` has the word to use, and those to avoid. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import german from '../../language/de.json' with { type: 'json' }

const words = {
  overdue: /\b(late|lateness|past due|newly late)\b/gi,
  submitted: /\b(hand(s|ed|ing)?[ -]in|turned in)\b/gi,
  'waiting for a grade': /\b(await(s|ing)?( a)? (grade|grading)|needs? grading|to grade)\b/gi,
  person: /\b(learners?|trainees?|students?)\b/gi,
  completed: /\bfinish(es|ed|ing)?\b/gi,
  webhook: /\bdeliver(y|ies)\b/gi,
  email: /\be-mails?\b/gi,
  'no one, someone, everyone': /\b(nobody|somebody|everybody|anybody|whoever)\b/gi,
} as const

/**
 * Where *late* is right. Overdue: open and past its due date. Late: completed, submitted or graded after its due date, or
 * received after newer events. *Late from* is a term of METRICS.md.
 */
const lateUses = [
  /\b(completed|submitted|graded) late\b/gi,
  /\blate from\b/gi,
  /\bLate, repeated or reordered webhooks\b/g,
  /\blate (event|answer)s?\b/g,
  /\*Late\*/g,
  /\bHow late do webhooks arrive\b/g,
]
/** German words, and names of a role and of a status of the platform. */
const otherUses = [/Zustellung \(delivery\)/g, /^(nobody|needs grading)$/g]

/** Not held: the contract, pages that are printed from the code, and the record of trust. */
const notHeld = ['METRICS', 'data-dictionary', 'metrics-for-managers', 'settings', 'trust'].map(
  (name) => `docs/${name}.md`,
)

const root = join(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/{,decisions/}*.md', { cwd: root }),
]
  .filter((file) => !notHeld.includes(file))
  .map((file) => ({ file, text: readProse(readFileSync(join(root, file), 'utf8')) }))
/** Of pages and mails. */
const texts = Object.keys(german.texts).map((text) => ({ file: 'language/de.json', text }))

/** Without code, targets of links and quotations: names of commands, views and buttons stay as they are. */
function readProse(markdown: string): string {
  return markdown
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll(/`[^`]*`|\]\([^)]*\)|“[^”]*”|"[^"]*"/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

type Word = keyof typeof words

function findOthers(text: string, word: Word): string[] {
  const rest = [...lateUses, ...otherUses].reduce((left, use) => left.replaceAll(use, ''), text)
  return [...rest.matchAll(words[word])].map(({ index, 0: { length } }) =>
    rest.slice(index - 20, index + length + 20),
  )
}

test.each(Object.keys(words) as Word[])(
  'says “%s” in README, CONTRIBUTING, SECURITY, docs and texts, and no other word',
  (word) => {
    expect(documents.length).toBeGreaterThan(45)
    expect(
      [...documents, ...texts].flatMap(({ file, text }) =>
        findOthers(text, word).map((found) => `${file}: ${found}`),
      ),
    ).toEqual([])
  },
)

test('finds another word, but not in code, in a link or where it is right', () => {
  const others = (markdown: string) => findOthers(readProse(markdown), 'overdue')
  expect(others('Three people are late.')).toHaveLength(1)
  expect(others('Three are completed late, see `days_late` and [this](late.md).')).toEqual([])
})
