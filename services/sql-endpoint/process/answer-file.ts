/**
 * Answers pass through a file beside the store. The engine either finishes an answer or fails before its first byte is
 * sent: chDB streams Parquet, Arrow and some forms of JSON as several files in one. No process holds an answer in memory,
 * except Native for clients with a protocol version.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import type { ReadStream } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client'
import { hold } from '../../runtime/hold.ts'
import { checkFormat, checkStatement, readSyntaxRules } from '../check-statement.ts'
import { type HttpStatement, StatementError } from '../http-front/http-front.ts'
import { toNativeRevision } from '../http-front/native-revision.ts'
import { escape } from '../../clickhouse/connection/write-constants.ts'

/** `people`: whether the view `people`, with names and e-mails, may be read. */
export type AnswerRequest = Pick<HttpStatement, 'sql' | 'params' | 'defaultFormat' | 'protocolVersion'> & {
  people: boolean
}

/** Returns a function that checks a statement, writes its answer to a file and returns the format. */
export function createAnswerWriter(analyst: ClickHouseClient) {
  const rules = hold(() => readSyntaxRules(analyst), Date.now, Infinity)
  return async (request: AnswerRequest, path: string): Promise<string> => {
    const { defaultFormat, protocolVersion } = request
    const { sql, format = defaultFormat } = await checkStatement(analyst, await rules.read(), request)
    checkFormat(format)
    const plain = `${path}.plain`
    try {
      await analyst.command({ query: `${sql}\nINTO OUTFILE '${escape(plain)}' FORMAT ${format}` })
      if (format === 'Native' && protocolVersion > 0)
        await writeFile(path, toNativeRevision(readFileSync(plain), protocolVersion), { mode: 0o600 })
      else renameSync(plain, path)
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    } finally {
      rmSync(plain, { force: true })
    }
    return format
  }
}

/** Removes the file, whose content lasts until the stream closes. */
export async function openAnswer(path: string, maxBytes: number): Promise<ReadStream> {
  const file = await open(path)
  rmSync(path)
  const { size } = await file.stat()
  if (size <= maxBytes) return file.createReadStream()
  await file.close()
  const message = `Limit for result exceeded: the answer has ${size} bytes in this format, the most is ${maxBytes}`
  throw new StatementError('TOO_MANY_ROWS_OR_BYTES', message)
}
