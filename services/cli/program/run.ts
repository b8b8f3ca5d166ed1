/** start and demo: what `npm start` and `npm run demo` run, in this process. */
import type { Command } from 'commander'

export function addRunCommands(program: Command): void {
  program
    .command('start')
    .description('Run everything on this machine, as npm start does.')
    .action(() => run(new URL('../../embedded/main.ts', import.meta.url)))
  program
    .command('demo')
    .description('Run it with a sample company, as npm run demo does.')
    .action(() => run(new URL('../../../sample-platform/demo.ts', import.meta.url)))
}

/** A main reads no words of the command line, and handles signals itself: npm passes on a Ctrl-C that has come already. */
async function run(main: URL): Promise<void> {
  process.argv.splice(2)
  process.removeAllListeners('SIGINT')
  await import(main.href)
}
