/** A writer in a process of its own, for tests that kill it: appends without end, prints each id once it is acknowledged. */
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { toRecord } from '../records.ts'

const [directory, label, callers] = process.argv.slice(2)
const writer = await openLocalLogWriter({ directory: directory as string })
let count = 0

async function appendForEver(): Promise<never> {
  for (;;) {
    const record = toRecord(`${label} ${count++} `.padEnd(300 + (count % 900), 'x'))
    try {
      await writer.append(record)
      process.stdout.write(`${record.eventId}\n`)
    } catch (error) {
      process.stdout.write(`refused ${(error as { code: string }).code}\n`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

for (let caller = 0; caller < Number(callers); caller++) void appendForEver()
