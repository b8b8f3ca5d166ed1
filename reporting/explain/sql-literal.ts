/** Values as ClickHouse literals, for SQL that people see and run; our own statements use parameters. */
export function toSqlText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}

export function toSqlTexts(texts: readonly string[]): string {
  return `[${texts.map(toSqlText).join(', ')}]`
}

/** DateTime64(3, 'UTC') as text. */
export function toSqlInstant(epochMs: number): string {
  return toSqlText(new Date(epochMs).toISOString().slice(0, 23).replace('T', ' '))
}
