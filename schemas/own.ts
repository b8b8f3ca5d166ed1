/** What a record holds under a name from outside. Nothing for a name that every object has, such as `toString`. */
export function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
