/** Around every main: an error that the operator can mend is one line and its exit code, any other is shown without the data it quotes, and 1. */
import { toErrorText } from './describe-error.ts'
import { StartError } from '../config/start-error.ts'

export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    const isKnown = error instanceof StartError
    process.stderr.write(isKnown ? `${error.message}\n` : `${toErrorText(error)}\n`)
    process.exit(isKnown ? error.exitCode : 1)
  }
}
