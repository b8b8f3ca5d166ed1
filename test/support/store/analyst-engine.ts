/** What runs analysts' statements, over an engine of the test's own process. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createTurns } from '../../../services/runtime/turns.ts'
import type { EngineClient, StatementEngine } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import { openAnswer, writeAnswer } from '../../../services/sql-endpoint/process/answer-file.ts'

export function toEngine(analyst: ClickHouseClient): StatementEngine {
  const path = join(mkdtempSync(join(tmpdir(), 'rollcall-answer-')), 'answer')
  const inTurn = createTurns()
  const client: EngineClient = {
    exec: (params) => analyst.exec(params),
    async answer(request) {
      await writeAnswer(analyst, request, path)
      return openAnswer(path, Infinity)
    },
  }
  return { run: (use) => inTurn(() => use(client)) }
}
