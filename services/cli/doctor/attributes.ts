/** Which custom attributes of people arrive and are not kept, and which are awaited and never came. */
import type { ClickHouseClient } from '@clickhouse/client'
import { present } from '../../runtime/control/command.ts'
import { select } from '../statements.ts'

const mostNames = 20

export async function toAttributeLines(client: ClickHouseClient, allowed: readonly string[]): Promise<string[]> {
  const [sent, stored] = await Promise.all([
    select<{ name: string }>(client, 'attributes-sent'),
    select<{ name: string }>(client, 'attributes-stored'),
  ])
  const others = sent.map(({ name }) => name).filter((name) => !allowed.includes(name))
  const missing = allowed.filter((name) => !stored.some((each) => each.name === name))
  const more = others.length > mostNames ? ` and ${others.length - mostNames} more` : ''
  return present([
    others.length > 0 &&
      `Custom attributes that arrive and are not kept: ${others.slice(0, mostNames).join(', ')}${more}. USER_ATTRIBUTES would allow them.`,
    missing.length > 0 && `Custom attributes in USER_ATTRIBUTES that never came: ${missing.join(', ')}.`,
  ])
}
