import type { Command } from 'commander'

/** Adds the options that all commands share, and examples to the help. */
export function addCommand(parent: Command, usage: string, description: string, examples: readonly string[]): Command {
  const command = parent
    .command(usage)
    .description(description)
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'no progress')
  const shown = examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`
  return command.addHelpText(
    'after',
    `${shown}\nExit codes: 0 done, 1 failed, 2 invalid arguments or configuration, 3 done and problems found.`,
  )
}
