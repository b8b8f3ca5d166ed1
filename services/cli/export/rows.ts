/** Rows as text, streamed. */

export async function* toNdjson(rows: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  for await (const some of rows) yield some.map((row) => `${JSON.stringify(row)}\n`).join('')
}

export async function* toJson(rows: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const some of rows) {
    if (some.length === 0) continue
    yield (isFirst ? '[\n' : ',\n') + some.map((row) => JSON.stringify(row)).join(',\n')
    isFirst = false
  }
  yield isFirst ? '[]\n' : '\n]\n'
}
