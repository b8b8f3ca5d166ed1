import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAnswers } from '../../../reporting/columns/answers.ts'

const contents = (names: string, settings = 'one') => new Map(Object.entries({ names, settings }))

/** Answers about two tables, and the questions that they asked. */
function open() {
  const answers = createAnswers(() => 0)
  const asked: string[] = []
  const hold = async (
    text: string,
    key: Map<string, string> | undefined,
    isUsual = false,
    of = ['names'],
  ) => {
    const { rows } = await answers.hold({ text, of, isUsual, read: async () => [asked.push(text)] }, key)
    await setImmediate()
    return rows
  }
  return { answers, hold, take: () => asked.splice(0) }
}

test('keeps an answer until the key of one of its tables changes', async () => {
  const { hold, take } = open()
  for (const key of [contents('a'), contents('a'), contents('a', 'two'), contents('b'), contents('a')])
    await hold('x', key)
  expect(take()).toEqual(['x', 'x', 'x'])
})

test('keeps no answer about a table without a key, without any keys, or after an error', async () => {
  const { answers, hold, take } = open()
  for (const each of [1, 2]) await hold('a view', contents('a'), each === 2, ['names', 'a_view'])
  for (const each of [1, 2]) await hold('none', undefined, each === 2)
  expect(take()).toEqual(['a view', 'a view', 'none', 'none'])
  const question = { text: 'x', of: ['names'] }
  const away = () => Promise.reject(new Error('away'))
  await expect(answers.hold({ ...question, read: away }, contents('a'))).rejects.toThrow('away')
  expect((await answers.hold({ ...question, read: async () => [1] }, contents('a'))).rows).toEqual([1])
})

test('renews after each change the answers that most pages ask, and once the others that someone asked', async () => {
  const { answers, hold, take } = open()
  await hold('usual', contents('a'), true)
  await hold('rare', contents('a'))
  for (const key of ['b', 'c', 'd']) await answers.renew(contents(key))
  expect(take()).toEqual(['usual', 'rare', 'usual', 'rare', 'usual', 'usual'])
  await hold('usual', contents('d'), true)
  await hold('rare', contents('d'))
  expect(take()).toEqual(['rare'])
})
