/**
 * The store in memory of the process that answers: versions of assignments and of people, as columns. New rows are found by the list of
 * parts: `all_7_9_1` holds the blocks 7 to 9, and a block never changes. So a merge of known blocks brings nothing to read, and after new
 * events only new blocks are read, in whatever order they are committed. Of a part that holds known blocks and unknown ones, the rows of the
 * unknown ones are read, and of the rest the hashes: held rows of these blocks not among them were taken back in the merge. Whatever
 * else happens to parts (rewritten, gone, another table of the name), everything is read again, and the statement answers meanwhile.
 *
 * That what was read is all of it is checked twice: as many rows came as the list promised, and hashes add up to what they did, because a
 * merge drops only rows that take each other back.
 */
import { totalmem } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { join, raw, sql, type Fragment } from '../expressions/sql.ts'
import { createAnswers, type Contents, type Question } from './answers.ts'
import { addTo, Columns, versionColumns, type Sum } from './columns.ts'
import { createEmpty, createTurns, forget, type Memory, type Turns, type Use } from './memory.ts'
import type { Block } from './native.ts'
import { columnsOfPeople, People } from './people.ts'
import { createColumnReader, mostRowsBeside, streamColumns, type Readings, type RowsQuestion } from './read-columns.ts'
import { tables, type List, type Part, type Source, type Table } from './source.ts'

/** `request`: the asker. For a second, its questions are answered by the rows stored at the first one. Default: at each. */
export type FollowedMemory = {
  /**
   * The result of `use` over the rows of now, without later changes: those in memory, or, where the store is not held, those that the
   * question needs, read for it. Throws `DataUnavailableError` where other large readings take too long.
   */
  ask<Answer>(use: Use<Answer>, question: RowsQuestion, request?: object): Promise<Answer>
  /** The same; `undefined` where the store is too large to read all of it for one question. */
  askSmall<Answer>(use: Use<Answer>, question: RowsQuestion, request?: object): Promise<{ answer: Answer } | undefined>
  /** The result of `use` over the rows in memory; `undefined` where those of the question are not held. Default: all rows. */
  askHeld<Answer>(use: Use<Answer>, request?: object, question?: RowsQuestion): Promise<{ answer: Answer } | undefined>
  /** The rows that a question needs, some at a time and in no order, whatever is held. */
  stream(question: RowsQuestion): AsyncIterable<Memory>
  /** The answer to a question, asked again only when one of its tables has changed. */
  hold<Row>(question: Question<Row>): Promise<Row[]>
  /** After something was stored: reads it before somebody asks, where somebody has asked in the last ten minutes. */
  renew(): void
}

export type MemoryOptions = {
  /** Stores with more versions are not held. 0 = none. Default: `toMostVersions` of the memory of this machine or container. */
  mostVersions?: number | undefined
  /** More new rows than this are read while the store answers itself. Default 20,000. */
  mostRowsAtOnce?: number
  /** Any clock that never goes back, ms. Default: that of the process. */
  clock?: () => number
  /** Called with the cause when the store could not be followed; rows are read for each question instead. */
  onError?: (error: unknown) => void
}

/** An eighth of the memory, by the bytes of a version. */
export const toMostVersions = (memoryBytes: number): number => Math.floor(memoryBytes / 8 / 250)

const ownMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** Blocks that were read together, and the sum of the hashes of their rows. */
type Unit = { first: number; last: number; mutation: number; sum: Sum }
type Held = {
  memory: Memory
  /** Whether it is the content of the store at one moment. */
  isWhole: boolean
  /** Those that are followed. */
  tables: readonly Table[]
  /** Ids of the tables. */
  ids: string
  units: Record<Table, Unit[]>
  /** By table and name of a part. */
  hashes: Map<string, string>
}

/** A part may be merged away between the list and the reading. */
const attempts = 5
/** Reading everything takes a twentieth of the time at most. */
const restFactor = 20
/** A user of a server who may not read the list of parts may be given the right later. */
const deniedMs = 60_000
const requestMs = 1_000
/** How long after a question rows are read as soon as they are stored. Readers are away after that. */
const awayMs = 600_000
/** Reading at once takes half of the time at most. */
const renewRestFactor = 1

/** `followed`: the store in memory, when it holds the listed parts. `readings`: rows that were read since then, by their question. */
type Look = {
  listed: Promise<List | undefined>
  followed: Promise<Held | undefined>
  readings: Readings
  /** When the last closed version ends, epoch ms: asked for once. */
  lastEnd(): Promise<number>
}

/** What is held, as far as it fits: everything, or what questions of now need. */
const choices: readonly (readonly Table[])[] = [tables, ['open_versions', 'user_versions']]

/** Without closed versions only a question about moments after the end of them all can be answered. */
async function hasRowsOf(held: Held, question: RowsQuestion | undefined, lastEnd: Look['lastEnd']): Promise<boolean> {
  if (held.tables === tables) return true
  if (question === undefined || question.since !== undefined || question.ofWholeAssignments === true) return false
  const end = await lastEnd()
  return question.moments.every(({ scope }) => scope.asOf >= end)
}

export function createMemory(source: Source, options: MemoryOptions = {}): FollowedMemory {
  const { mostVersions = toMostVersions(ownMemoryBytes()), clock = () => performance.now() } = options
  const inTurn = createTurns()
  const looks = createLooks(createFollower(source, { ...options, mostVersions, clock, inTurn }), clock)
  const answers = createAnswers(clock)
  const readFor = createColumnReader(source)
  let askedAt = -Infinity

  const renew = createRepeat(async () => {
    const look = await looks.of({})
    await Promise.all([look.followed, readContents(look).then((contents) => contents && answers.renew(contents))])
  }, clock)

  return {
    async ask(use, question, request = {}) {
      const held = await this.askHeld(use, request, question)
      if (held !== undefined) return held.answer
      const { listed, readings } = await looks.of(request)
      return readFor(question, use, { readings, rows: countVersions(await listed) })
    },
    async askSmall(use, question, request = {}) {
      const rows = countVersions(await (await looks.of(request)).listed)
      if (rows <= mostRowsBeside) return { answer: await this.ask(use, question, request) }
      return this.askHeld(use, request, question)
    },
    async askHeld(use, request = {}, question) {
      askedAt = clock()
      const { followed, lastEnd } = await looks.of(request)
      const copy = await followed
      if (copy === undefined || !(await hasRowsOf(copy, question, lastEnd))) return undefined
      return inTurn(() => answer(copy, use))
    },
    stream: (question) => streamColumns(source, question),
    async hold({ request = {}, isClaim = false, ...question }) {
      askedAt = clock()
      const { rows, readAt } = await answers.hold(question, await readContents(await looks.of(request)))
      if (isClaim) looks.claim(request, readAt)
      return rows
    },
    renew() {
      if (clock() - askedAt < awayMs) renew()
    },
  }
}

/** Looks at the store, and takes in what is new. */
function createFollower(
  source: Source,
  options: MemoryOptions & { mostVersions: number; clock: () => number; inTurn: Turns },
): () => Look {
  const { mostVersions, mostRowsAtOnce = 20_000, clock, onError = () => undefined, inTurn } = options
  let current: Held | undefined
  let isReadingMany = false
  let restsUntil = -Infinity
  const list = async () => (clock() < restsUntil ? undefined : source.list())

  async function follow(first: Promise<List | undefined>): Promise<Held | undefined> {
    try {
      let listed = await first
      for (let attempt = 1; listed !== undefined && !isReadingMany; attempt++) {
        const result = await followOnce(listed)
        if (result !== 'again') return result
        listed = attempt < attempts ? await list() : undefined
      }
    } catch (error) {
      current = undefined
      if (isDenied(error)) restsUntil = clock() + deniedMs
      else onError(error)
    }
    return undefined
  }

  async function followOnce(listed: List): Promise<Held | undefined | 'again'> {
    const fitting = choices.find(
      (of) => countRows(listed.parts.filter(({ table }) => of.includes(table))) <= mostVersions,
    )
    if (!isOneStore(listed) || fitting === undefined) {
      current = undefined
      return undefined
    }
    // Nothing is stored, as before the first event. A new replica may only not have its parts yet.
    if (listed.parts.length === 0 && !listed.tables.some(isReplicated)) {
      current = undefined
      return { ...createHeld('', tables), isWhole: true }
    }
    const ids = JSON.stringify(listed.tables.map(({ table, id }) => `${table} ${id}`).sort())
    const isSame = current?.ids === ids && current.tables === fitting
    if (current !== undefined && !(isSame && isContinued(current, listed))) current = undefined
    const copy = (current ??= createHeld(ids, fitting))
    copy.hashes = new Map(listed.parts.map(({ table, name, hash }) => [`${table} ${name}`, hash]))
    const steps = fitting.flatMap((table) => toSteps(copy, table, listed.parts))
    if (steps.length === 0) return copy
    // Where blocks of a part are known, hashes are most of the reading.
    const many = steps.reduce((sum, { parts, units }) => sum + countRows(parts) / (units.length === 0 ? 1 : 10), 0)
    if (many <= mostRowsAtOnce) return inTurn(() => takeIn(copy, steps))
    readMany(copy, steps)
    return undefined
  }

  async function takeIn(copy: Held, steps: readonly Step[]): Promise<Held | 'again'> {
    const became = await take(source, copy, steps)
    if (became === 'unknown') current = undefined
    return became === 'whole' ? copy : 'again'
  }

  /** In the background: the next look begins with the rows read so far. */
  function readMany(copy: Held, steps: readonly Step[]): void {
    isReadingMany = true
    const startedAt = clock()
    void inTurn(() => takeIn(copy, steps))
      .catch((error: unknown) => {
        current = undefined
        onError(error)
      })
      .finally(() => {
        isReadingMany = false
        if (current !== copy) restsUntil = clock() + restFactor * (clock() - startedAt)
      })
  }

  return () => {
    const listed = list()
    let lastEnd: Promise<number> | undefined
    return {
      listed: listed.catch(() => undefined),
      followed: follow(listed),
      readings: new Map(),
      lastEnd: () => (lastEnd ??= source.lastEnd()),
    }
  }
}

/** The contents by which answers can be held. None among replicas: the one that lists is not always the one that answers. */
async function readContents({ listed }: Look): Promise<Contents | undefined> {
  const list = await listed
  return list !== undefined && isOneStore(list) && !list.tables.some(isReplicated) ? list.contents : undefined
}

async function answer<Answer>({ memory, isWhole }: Held, use: Use<Answer>) {
  memory.arrays.beginAnswer()
  return isWhole ? { answer: await use(memory) } : undefined
}

/** Does the work once after each call, or once for calls during it or the rest after it. */
function createRepeat(work: () => Promise<void>, clock: () => number): () => void {
  let isCalled = false
  let isBusy = false
  async function repeat() {
    isBusy = true
    while (isCalled) {
      isCalled = false
      const startedAt = clock()
      await work()
      await setTimeout(renewRestFactor * (clock() - startedAt), undefined, { ref: false })
    }
    isBusy = false
  }
  return () => {
    isCalled = true
    if (!isBusy) void repeat()
  }
}

/** A request has one look a second, and another one when it was told a claim that was read after its look. */
function createLooks(begin: () => Look, clock: () => number) {
  const look = shareLooks(begin)
  const requests = new WeakMap<object, { at: number; look: Promise<Look> }>()
  const claims = new WeakMap<object, number>()

  const claimedAt = (request: object) => claims.get(request) ?? -Infinity
  return {
    of(request: object): Promise<Look> {
      const last = requests.get(request)
      if (last !== undefined && clock() - last.at <= requestMs && last.at > claimedAt(request)) return last.look
      const next = { at: clock(), look: look() }
      requests.set(request, next)
      return next.look
    },
    claim: (request: object, readAt: number) => claims.set(request, Math.max(claimedAt(request), readAt)),
  }
}

/** A look that begins after the question; all who ask at once, or during another one, share it. */
function shareLooks(look: () => Look): () => Promise<Look> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Look> | undefined
  return () => {
    next ??= Promise.all([last, setImmediate()]).then(() => {
      next = undefined
      const started = look()
      last = started.followed
      return started
    })
    return next
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '497'
}

function createHeld(tableIds: string, followed: readonly Table[]): Held {
  return {
    memory: createEmpty(),
    tables: followed,
    isWhole: false,
    ids: tableIds,
    units: { open_versions: [], closed_versions: [], user_versions: [] },
    hashes: new Map(),
  }
}

const countVersions = (list: List | undefined): number =>
  list === undefined ? Infinity : countRows(list.parts.filter(({ table }) => table !== 'user_versions'))

function countRows(parts: readonly Part[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0)
}

/** Whether these are all parts of three tables in one place: this reader may see each, and the list is not of several shards. */
function isOneStore({ tables: listed, parts }: List): boolean {
  return tables.every((table) => {
    const engines = listed.filter((each) => each.table === table).map(({ engine }) => engine)
    const partsOfTable = parts.filter((part) => part.table === table).sort((a, b) => a.first - b.first)
    const isApart = partsOfTable.every(({ first }, index) => index === 0 || first > partsOfTable[index - 1]!.last)
    return engines.length === 1 && engines[0]!.endsWith('MergeTree') && isApart
  })
}

const isReplicated = ({ engine }: { engine: string }): boolean => /^(Replicated|Shared)/.test(engine)

const isWithin = (inner: { first: number; last: number }, outer: { first: number; last: number }): boolean =>
  outer.first <= inner.first && inner.last <= outer.last

/** Whether the parts are what becomes of those that were read, by inserts and merges, and in replicas not yet of all of them. */
function isContinued({ memory, tables: followed, units, hashes }: Held, { tables: listed, parts }: List): boolean {
  return followed.every((table) => {
    const isAmongReplicas = listed.some((each) => each.table === table && isReplicated(each))
    const partsOfTable = parts.filter((part) => part.table === table)
    for (const part of partsOfTable) {
      const hash = hashes.get(`${table} ${part.name}`)
      if (!isAmongReplicas && hash !== undefined && hash !== part.hash) return false
      for (const unit of units[table]) {
        if (unit.last < part.first || unit.first > part.last) continue
        if (part.mutation > Math.max(unit.mutation, unit.last)) return false
        // Parts only grow; those of a replica that lags behind have yet to.
        if (!isWithin(unit, part) && !(isAmongReplicas && isWithin(part, unit))) return false
      }
    }
    const newest = Math.max(0, ...partsOfTable.map(({ last }) => last))
    const isThere = (block: number) => partsOfTable.some(({ first, last }) => first <= block && block <= last)
    const isGone = (block: number) => !isThere(block) && (!isAmongReplicas || block < newest)
    const rest = units[table].filter((unit) => partsOfTable.every((part) => !isWithin(unit, part)))
    return rest.length === 0 || !contentOf(memory, table).holds(isGone)
  })
}

/** The next read of a table: new parts, or one part of which we have these units. */
type Step = { table: Table; parts: Part[]; units: Unit[] }

function toSteps({ units }: Held, table: Table, parts: readonly Part[]): Step[] {
  const fresh: Part[] = []
  const steps: Step[] = []
  for (const part of parts) {
    if (part.table !== table || units[table].some((unit) => isWithin(part, unit))) continue
    const unitsOfPart = units[table].filter((unit) => isWithin(unit, part)).sort((a, b) => a.first - b.first)
    if (unitsOfPart.length === 0) fresh.push(part)
    else if (isTiled(part, unitsOfPart)) units[table] = replace(units[table], unitsOfPart, toUnit(part, unitsOfPart))
    else steps.push({ table, parts: [part], units: unitsOfPart })
  }
  return fresh.length === 0 ? steps : [{ table, parts: fresh, units: [] }, ...steps]
}

function isTiled({ first, last }: Part, units: readonly Unit[]): boolean {
  return (
    units[0]!.first === first &&
    units.at(-1)!.last === last &&
    units.every((unit, index) => index === 0 || unit.first === units[index - 1]!.last + 1)
  )
}

function toUnit({ first, last, mutation }: Part, of: readonly Pick<Unit, 'sum'>[]): Unit {
  const sum: Sum = [0, 0]
  for (const each of of) addTo(sum, ...each.sum, 1)
  return { first, last, mutation, sum }
}

function replace(units: readonly Unit[], old: readonly Unit[], by: Unit): Unit[] {
  return [...units.filter((unit) => !old.includes(unit)), by]
}

/** The rows read for a step. `sums`: by part, of all its rows. */
type Reading = Step & { blocks: Block[]; hashes: Block[]; sums: Sum[]; fresh: Sum }

const hashColumns = raw('img, sign')
const columns: Record<Table, Fragment> = {
  open_versions: versionColumns,
  closed_versions: versionColumns,
  user_versions: columnsOfPeople,
}

function contentOf(memory: Memory, table: Table): Columns | People {
  return table === 'user_versions' ? memory.people : memory[table === 'open_versions' ? 'open' : 'closed']
}

/** More rows than this are streamed: of these readings there can be some at once only. */
const mostRowsFromPool = 20_000

/** `isFirst`: each block is taken in at once, instead of being kept. `undefined`: other rows came than the list promised. */
async function readStep(source: Source, memory: Memory, step: Step, isFirst: boolean): Promise<Reading | undefined> {
  const { table, parts, units } = step
  const from = { table, parts: parts.map(({ name }) => name), isLarge: countRows(parts) > mostRowsFromPool }
  const reading: Reading = { ...step, blocks: [], hashes: [], sums: parts.map(() => [0, 0]), fresh: [0, 0] }
  const isKnown = units.map(({ first, last }) => raw(`_block_number BETWEEN ${first} AND ${last}`))
  const isFresh = units.length === 0 ? undefined : sql`NOT (${join(isKnown, ' OR ')})`
  let rows = 0
  if (isFirst) {
    if (table === 'user_versions') memory.people = new People(memory.users)
    else memory[table === 'open_versions' ? 'open' : 'closed'] = new Columns(memory)
    await contentOf(memory, table).reserve(countRows(parts))
  }
  const all = sql`${columns[table]}, ${hashColumns}, toUInt32(_block_number)`
  for await (const block of source.read(all, from, isFresh)) {
    rows += block.rows
    addSums(reading, block, true)
    if (isFirst) await contentOf(memory, table).apply(block)
    else reading.blocks.push(block)
  }
  if (units.length > 0) {
    for await (const block of source.read(hashColumns, from, join(isKnown, ' OR '))) {
      rows += block.rows
      addSums(reading, block, false)
      reading.hashes.push(block)
    }
  }
  return rows === countRows(parts) ? reading : undefined
}

function addSums({ parts, sums, fresh }: Reading, block: Block, isFresh: boolean): void {
  const [hashes, signs, blocks] = block.columns.slice(isFresh ? -3 : -2) as [Uint32Array, Int8Array, Uint32Array]
  let at = 0
  for (let row = 0; row < block.rows; row++) {
    if (parts.length > 1 && !(parts[at]!.first <= blocks[row]! && blocks[row]! <= parts[at]!.last))
      at = parts.findIndex(({ first, last }) => first <= blocks[row]! && blocks[row]! <= last)
    addTo(sums[at]!, hashes[2 * row]!, hashes[2 * row + 1]!, signs[row]!)
    if (isFresh) addTo(fresh, hashes[2 * row]!, hashes[2 * row + 1]!, signs[row]!)
  }
}

/** 'again': a part was merged away between the list and the reading. 'unknown': the held rows are of no use any more. */
async function take(source: Source, copy: Held, steps: readonly Step[]): Promise<'whole' | 'again' | 'unknown'> {
  const wasWhole = copy.isWhole
  copy.isWhole = false
  for (const name of copy.memory.memo.keys()) forget(copy.memory, name)
  const read: Reading[] = []
  let isChanged = false
  for (const step of steps) {
    // The first reading of a table changes the copy, also where it ends early.
    const isFirst = copy.units[step.table].length === 0
    const reading = await readStep(source, copy.memory, step, isFirst)
    isChanged ||= isFirst
    if (reading === undefined) {
      copy.isWhole = wasWhole && !isChanged
      return 'again'
    }
    if (isFirst) addUnits(copy, reading)
    else read.push(reading)
  }
  for (const reading of read) if (!(await takeReading(copy, reading))) return 'unknown'
  copy.isWhole = true
  return 'whole'
}

function addUnits({ units }: Held, { table, parts, sums }: Reading): void {
  units[table].push(...parts.map((part, index) => toUnit(part, [{ sum: sums[index]! }])))
}

/** `false`: hashes do not add up, so more happened than the rows that were read can tell. */
async function takeReading(copy: Held, reading: Reading): Promise<boolean> {
  const { table, parts, units, blocks, hashes, sums, fresh } = reading
  const content = contentOf(copy.memory, table)
  if (units.length === 0) addUnits(copy, reading)
  else {
    for (const block of hashes) await content.mark(block)
    const isKnown = (block: number) => units.some(({ first, last }) => first <= block && block <= last)
    const removed = await content.removeUnmarked(isKnown)
    const unit = toUnit(parts[0]!, [{ sum: sums[0]! }])
    const added = toUnit(parts[0]!, [{ sum: fresh }, ...units]).sum
    addTo(added, ...removed, -1)
    if (added[0] !== unit.sum[0] || added[1] !== unit.sum[1]) return false
    copy.units[table] = replace(copy.units[table], units, unit)
  }
  await content.reserve(blocks.reduce((sum, { rows }) => sum + rows, 0))
  for (const block of blocks) await content.apply(block)
  return true
}
