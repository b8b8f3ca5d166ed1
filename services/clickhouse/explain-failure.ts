/** Why the engine does not open a store, in one sentence for the operator. "Damaged" only where the engine's code says so. */
import { spawnSync } from 'node:child_process'
import { StartError, toDamagedError } from '../config/start-error.ts'
import { nameOfCode } from './errors/store-error.ts'

/** What the engine says of the content of its own files: definitions of tables, and parts. */
const damage = new Set(
  `SYNTAX_ERROR CORRUPTED_DATA CHECKSUM_DOESNT_MATCH ATTEMPT_TO_READ_AFTER_EOF CANNOT_READ_ALL_DATA CANNOT_DECOMPRESS
  CANNOT_PARSE_INPUT_ASSERTION_FAILED CANNOT_PARSE_TEXT INCORRECT_DATA NO_FILE_IN_DATA_PART UNEXPECTED_FILE_IN_DATA_PART
  BAD_SIZE_OF_FILE_IN_DATA_PART TOO_MANY_UNEXPECTED_DATA_PARTS INCORRECT_FILE_NAME FILE_DOESNT_EXIST`.split(
    /\s+/,
  ),
)

const open = 'const { Session } = await import(process.argv[1]); new Session(process.argv[2]); process.exit()'
const maxWords = 300

/**
 * The engine's error has no code and no words: it writes them to the process's standard error, where no code of ours can read them. So
 * another process tries once more, and is read.
 */
export function explainFailure(directory: string, cause: unknown): StartError {
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', open, import.meta.resolve('chdb'), directory],
    { encoding: 'utf8' },
  )
  const [, code = '', said = ''] = /^Code: (\d+)\. (?:DB::Exception: )?(.*)$/m.exec(stderr) ?? []
  // A damaged file may be quoted.
  const words = said.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, maxWords)
  if (damage.has(nameOfCode[code] ?? '')) return toDamagedError(directory, words, cause)
  return new StartError(
    `The store in ${directory} cannot be opened: ${words === '' ? 'the engine does not say why' : words}. Nothing in it was changed.`,
    { cause },
  )
}
