/** What runs analysts' statements, over an engine of the test's own process. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { answerInTurn, type StatementEngine } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import { createAnswerWriter, openAnswer } from '../../../services/sql-endpoint/process/answer-file.ts'

export function toEngine(analyst: ClickHouseClient): StatementEngine {
  const path = join(mkdtempSync(join(tmpdir(), 'rollcall-answer-')), 'answer')
  const writeAnswer = createAnswerWriter(analyst)
  return answerInTurn(async (request) => {
    const format = await writeAnswer(request, path)
    return { format, body: await openAnswer(path, Infinity) }
  })
}
