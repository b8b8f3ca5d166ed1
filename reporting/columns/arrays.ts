/**
 * Large arrays that later answers use again. Node collects all of its memory when some 50 MB of new ones have come, which would be every
 * tenth page of 250,000 assignments and take half as long as the page.
 */
const mostFree = 20
const fewestBytes = 65_536

export class Arrays {
  private free: ArrayBuffer[] = []
  private readonly later: ArrayBuffer[] = []

  /** With anything in them, until they are given back. */
  take(length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.find(4 * length), 0, length)
  }

  /** With anything in it, until this answer ends. */
  borrow(length: number): Float64Array {
    const array = new Float64Array(this.find(8 * length), 0, length)
    this.giveBack(array)
    return array
  }

  /** Until this answer ends it may still be read. */
  giveBack({ buffer }: { buffer: ArrayBuffer }): void {
    if (buffer.byteLength >= fewestBytes) this.later.push(buffer)
  }

  beginAnswer(): void {
    this.free = [...this.free, ...this.later.splice(0)].slice(-mostFree)
  }

  /** The smallest that has room. */
  private find(bytes: number): ArrayBuffer {
    const fitting = this.free.filter(({ byteLength }) => byteLength >= bytes)
    const buffer = fitting.sort((a, b) => a.byteLength - b.byteLength)[0]
    if (buffer === undefined) return new ArrayBuffer(bytes)
    this.free = this.free.filter((each) => each !== buffer)
    return buffer
  }
}
