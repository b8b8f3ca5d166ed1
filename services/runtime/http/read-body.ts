/** Bodies of requests and answers, as they arrive. */
type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null

/** All of it. Where it is larger, that is thrown, and the rest is cancelled. */
export async function readUpTo(body: Body, maxBytes: number, tooLarge: () => Error): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Its lines, without empty ones. */
export async function* readLines(body: Body): AsyncGenerator<string> {
  let rest = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}
