/** Around every main: it starts only without options. An error that the operator can mend is one line and its exit code, any other is shown without the data it quotes, and 1. */
import { toErrorText } from './describe-error.ts'
import { rollcallCommand } from './rollcall-command.ts'
import { StartError } from '../config/start-error.ts'

const help = () => `Settings are environment variables, or lines of .env; .env.example describes every one.
${rollcallCommand()} --help lists the commands of Rollcall. There are no options.
`

export async function runMain(main: () => Promise<void>): Promise<void> {
  const [word] = process.argv.slice(2)
  if (word === '--help' || word === '-h') return void process.stdout.write(help())
  if (word !== undefined) {
    process.stderr.write(`Unknown option ${word}. ${help()}`)
    process.exit(2)
  }
  try {
    await main()
  } catch (error) {
    const isKnown = error instanceof StartError
    process.stderr.write(isKnown ? `${error.message}\n` : `${toErrorText(error)}\n`)
    process.exit(isKnown ? error.exitCode : 1)
  }
}
