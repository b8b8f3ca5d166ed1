/**
 * Names for finding: without regard to case, accents and the normal form. "İsmail Groß" is "ismail gross". `foldText` does the same to
 * the texts that pages hold.
 */
import { plainLetters } from '../../language/fold.ts'
import { raw, sql, type Fragment } from './sql.ts'

const { from, to } = plainLetters
const letters = raw(`'${from}', '${to}'`)
const marks = raw(`'\\\\pM'`)

export const folded = (text: Fragment): Fragment =>
  sql`replaceAll(replaceAll(replaceAll(translateUTF8(lowerUTF8(replaceRegexpAll(normalizeUTF8NFKD(${text}), ${marks}, '')), ${letters}), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`
