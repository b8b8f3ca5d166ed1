import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'

const read = (...args: string[]) => parseArguments({ assignments: 250_000, directory: '', rounds: 21 }, args)

test('arguments of a benchmark are read by position', () => {
  expect(read()).toEqual({ assignments: 250_000, directory: '', rounds: 21 })
  expect(read('50000', '', '5')).toEqual({ assignments: 50_000, directory: '', rounds: 5 })
})

test.each([[['many']], [['-1']], [['1.5']], [['']], [['1', 'directory', '3', '4']], [['--rounds', '3']], [['--help']]])(
  'no benchmark runs with %j',
  (args) => {
    expect(() => read(...args)).toThrow()
  },
)

test('no benchmark reads its arguments in another way', () => {
  const own = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    return text.includes('process.argv') && !text.includes('parseArgs(')
  })
  // A command to run, and the name of a server.
  expect(own.sort()).toEqual(['door/broker.ts', 'door/servers.ts'])
})
