import fc from 'fast-check'
import { historyArb, type History } from './history.ts'
import type { Delivery, PulledUser, Scope } from '../scope.ts'

/**
 * The same history among other people, teams, challenges and assignments, so that many fit in one store: ids get the number
 * of the history, and 7 and "7" stay one id.
 */
export function setApart(history: History, number: number): History {
  return {
    deliveries: history.deliveries.map((delivery): Delivery => ({
      ...delivery,
      body: renameBody(delivery.body, number),
    })),
    pulledUsers: history.pulledUsers.map(({ observedAt, user }): PulledUser => ({
      observedAt,
      user: renameUser(user, number),
    })),
  }
}

/** Many histories in one, each set apart. */
export function joinApart(histories: readonly History[]): History {
  const apart = histories.map(setApart)
  return {
    deliveries: apart.flatMap(({ deliveries }) => deliveries),
    pulledUsers: apart.flatMap(({ pulledUsers }) => pulledUsers),
  }
}

/** So many random histories of at most 24 events in one. */
export const sampleHistory = (numRuns: number, seed: number): History =>
  joinApart(fc.sample(historyArb({ maxEvents: 24 }), { numRuns, seed }))

/** The scope that asks for the same in the history of that number. */
export function setScopeApart(scope: Scope, number: number): Scope {
  const rename = (ids: string[]): string[] => ids.map((id) => renameId(id, number) as string)
  return {
    ...scope,
    challenge: rename(scope.challenge),
    team: rename(scope.team),
    manager: rename(scope.manager),
    user: rename(scope.user),
  }
}

export function renameId(id: unknown, number: number): unknown {
  if (typeof id === 'number') return id + 1_000 * number
  if (typeof id !== 'string' || id === '') return id
  return String(Number(id)) === id ? String(Number(id) + 1_000 * number) : `${id}.${number}`
}

function renameBody(body: Uint8Array | string, number: number): Uint8Array | string {
  if (typeof body !== 'string') return body
  const event = parse(body)
  if (!isObject(event)) return body
  const renamed = {
    ...event,
    ...(isObject(event['user']) && { user: renameUser(event['user'], number) }),
    ...(isObject(event['challenge']) && { challenge: renameFields(event['challenge'], ['id'], number) }),
    ...(isObject(event['challengeAssignment']) && {
      challengeAssignment: renameFields(event['challengeAssignment'], ['id', 'challengeId'], number),
    }),
  }
  return JSON.stringify(renamed, null, body.includes('\n') ? 1 : undefined)
}

function renameUser(user: unknown, number: number): unknown {
  if (!isObject(user)) return user
  const lists = ['groups', 'managers', 'directReports'].flatMap((field) => {
    const list = user[field]
    return Array.isArray(list)
      ? [[field, list.map((item: unknown) => renameItem(item, number))] as const]
      : []
  })
  return { ...renameFields(user, ['id'], number), ...Object.fromEntries(lists) }
}

function renameItem(item: unknown, number: number): unknown {
  return isObject(item) ? renameFields(item, ['id'], number) : item
}

function renameFields(object: JsonObject, fields: string[], number: number): JsonObject {
  const renamed = fields
    .filter((field) => field in object)
    .map((field) => [field, renameId(object[field], number)])
  return { ...object, ...(Object.fromEntries(renamed) as JsonObject) }
}

type JsonObject = { [key: string]: unknown }

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
