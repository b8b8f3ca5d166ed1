/** Bodies of requests and answers, as they arrive. */
type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null

/** All of it. Where it is larger, that is thrown, and the rest is cancelled. */
export async function readUpTo(
  body: Body,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Its beginning. The rest is cancelled. */
export async function readStart(body: Body, maxBytes: number): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > maxBytes) break
  }
  const text = Buffer.concat(chunks).subarray(0, maxBytes).toString()
  return { text, isCut: size > maxBytes }
}

const maxLineLength = 16 * 1024 ** 2

/** Its lines, without empty ones. Throws if a line is too long to be held. */
export async function* readLines(body: Body): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const [first = '', ...others] = text.split('\n')
    parts.push(first)
    length += first.length
    if (length > maxLineLength) throw new RangeError(`A line is longer than ${maxLineLength} characters`)
    if (others.length === 0) continue
    const last = others.pop() ?? ''
    for (const line of [parts.join(''), ...others]) if (line !== '') yield line
    parts = [last]
    length = last.length
  }
  const line = parts.join('')
  if (line !== '') yield line
}
