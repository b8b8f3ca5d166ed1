/**
 * The platform's user list as observations of people, like those of events, at the moment the answer arrived.
 */
import { hash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Attribute } from '../../../schemas/webhook/field.ts'
import { readErasedPeople, toCleanTitle, withoutErased, type ErasedPeople } from '../erased-people.ts'
import { toAttributes, type DeliveredObservation } from '../rows.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { storeObservations } from './store-events.ts'
import type { People } from './store-people.ts'

/** One user of a pulled answer, observed when it arrived. */
export type PulledPerson = Omit<
  DeliveredObservation,
  'kind' | 'observationId' | 'isNumericId' | 'teams' | 'attributes'
> & {
  /** Sent as a JSON number. Default false. */
  isNumericId?: boolean
  teams: { id: string; name: string | undefined }[] | undefined
  attributes?: Attribute[] | undefined
}

/**
 * Stores one page of pulled users and everything that follows: when this resolves, the people and their managers are in
 * the tables. Repeating a page changes nothing. `people`: `createPeople(client)`, one for all pages, ideally the
 * consumer's own.
 */
export async function storePulledPeople(
  client: ClickHouseClient,
  people: People,
  pulled: readonly PulledPerson[],
): Promise<void> {
  const erased = await readErasedPeople(client)
  const observations = pulled
    .filter((person) => person.userId !== '')
    .map((person) => withoutErased(person, erased))
    .map((person) => toObservation(person, people.attributes))
  await storeObservations(client, observations)
  await insertRows(
    client,
    'names',
    pulled.flatMap((person) => toTeamNames(person, erased)),
  )
  await people.store(observations)
}

function toObservation(
  { teams, managers, directReports, attributes, ...person }: PulledPerson,
  allowed: readonly string[],
): DeliveredObservation {
  const content = {
    ...person,
    isNumericId: person.isNumericId ?? false,
    teams: toIds(teams?.map(({ id }) => id)),
    managers: toIds(managers),
    directReports: toIds(directReports),
    attributes: toAttributes(attributes, allowed),
  }
  return { ...content, kind: 'pull', observationId: toObservationId(content) }
}

/** The higher id of two pulls at one instant counts, so it must follow from their content only. */
function toObservationId(content: object): string {
  return hash(
    'sha256',
    JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))),
    'hex',
  ).slice(0, 32)
}

function toIds(ids: string[] | undefined): string[] | undefined {
  return ids === undefined ? undefined : [...new Set(ids.filter((id) => id !== ''))].sort()
}

function toTeamNames(
  { teams = [], observedAtMs }: PulledPerson,
  erased: ErasedPeople | undefined,
): Record<string, unknown>[] {
  return teams.flatMap(({ id, name: sent = '' }) => {
    const name = erased === undefined ? sent : toCleanTitle(sent, erased.titles)
    return id === '' || name === '' ? [] : [{ kind: 'team', id, name, last_seen: observedAtMs }]
  })
}
