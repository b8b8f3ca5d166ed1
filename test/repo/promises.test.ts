/** Promises of a list are heard once the list is made. If making it waits, and one of them fails meanwhile, the process ends. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

/** The list that begins at `from`, to its closing bracket. */
function readList(text: string, from: number): string {
  let open = 1
  let to = from
  for (; open > 0 && to < text.length; to++) {
    if (text[to] === '[') open++
    if (text[to] === ']') open--
  }
  return text.slice(from, to)
}

function findWaits(text: string): string[] {
  return [...text.matchAll(/Promise\.all(?:Settled)?\(\[/g)]
    .map(({ index, 0: { length } }) => readList(text, index + length))
    .filter((list) => /\bawait\b/.test(list) && !/\basync\b/.test(list))
}

test('no promise waits for another while it is put into a list', () => {
  expect(findWaits('Promise.all([readOne(), readTwo(await settle())])')).toHaveLength(1)
  const found = files
    .filter((file) => !file.startsWith('test/'))
    .flatMap((file) => findWaits(readFileSync(join(root, file), 'utf8')).map((list) => `${file}: ${list}`))
  expect(found).toEqual([])
})
