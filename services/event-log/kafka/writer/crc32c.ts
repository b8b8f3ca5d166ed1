/** CRC-32C (Castagnoli), the checksum of a record batch. Node has CRC-32 only, of another polynomial. */
const polynomial = 0x82f63b78

const table = new Int32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
  table[byte] = crc
}

export function crc32c(bytes: Uint8Array): number {
  const { length } = bytes
  let crc = -1
  for (let index = 0; index < length; index++) {
    crc = (table[(crc ^ (bytes[index] as number)) & 0xff] as number) ^ (crc >>> 8)
  }
  return (crc ^ -1) >>> 0
}
