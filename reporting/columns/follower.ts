/**
 * Keeps the versions of the store in memory. A look reads the blocks that are new, and compares what the
 * content hashes of all rows add up to in the store and in memory. Sums can differ: a merge drops a row
 * together with its retraction. Then only those buckets of rows are read again whose sums differ.
 *
 * While memory is not what the store has, each question reads its own rows from the store.
 */
import { totalmem } from 'node:os'
import { Columns } from './columns.ts'
import { createEmpty, createTurns, type Memory } from './memory.ts'
import { mostRowsBeside } from './read-columns.ts'
import type { Block } from './native.ts'
import type { People } from './people.ts'
import { mostBlocks, tables, type List, type Source, type Sums, type Table } from './source.ts'
import { toDiffering } from './sums.ts'

type TableState = {
  /** The last block, and the ones shortly before it that were read. Blocks may be committed out of turn. */
  last: number
  read: Set<number>
  /** Its parts when it was last looked at; `undefined`: it has to be looked at. */
  parts: string | undefined
  /** When most of it was last read, ms. */
  readAt: number
}

export type Held = {
  readonly memory: Memory
  readonly contents: Record<Table, Columns | People>
  /** Whether it is the content of the store at the last look. */
  isWhole: boolean
  /** Closed versions are held that end after this instant, epoch ms; 0 = all. */
  since: number
  /** Who answered: another server may have other rows. `undefined` before the first look. */
  store: Pick<Sums, 'server' | 'tables'> | undefined
  /** When the store was last met, ms. */
  metAt: number
  /** When all of it was first held, epoch ms. */
  heldAt: number | undefined
  readonly of: Record<Table, TableState>
}

/** What is held, for those who operate. */
export type HeldStatus = {
  versions: number
  bytes: number
  /** When it was first held, epoch ms. `null`: nothing is held. */
  heldAt: number | null
  /** Closed versions are held that end after this instant, epoch ms; 0 = all. */
  since: number
  isReading: boolean
  /** How often a table was read as a whole. */
  fullReadings: Record<Table, number>
}

export type FollowerOptions = {
  /** Stores with more versions are not held. 0 = none. Default: `toMostVersions` of the memory of this machine or container. */
  mostVersions?: number | undefined
  /** Questions wait for the first reading of a table of at most so many rows. Default 200,000. */
  mostFirstRows?: number
  /** More new rows than this are read in the background: questions read their own meanwhile. Default 20,000. */
  mostRowsAtOnce?: number
  /** Any clock that never goes back, ms. Default: that of the process. */
  clock?: () => number
  /** Epoch ms. Default: the machine's clock. */
  now?: () => number
  /** Called with the cause when the store could not be followed; rows are read for each question instead. */
  onError?: (error: unknown) => void
}

/** An eighth of the memory, by the bytes of a version; a map of ids takes 16,777,216. */
export const toMostVersions = (memoryBytes: number): number =>
  Math.min(Math.floor(memoryBytes / 8 / 250), 16_000_000)

const ownMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** So many blocks before the last one may still be committed. */
const outOfTurn = 64
/** If more buckets differ, all rows are read. */
const mostBuckets = 2_000
/** A large table is read as a whole at most once in so long. */
const fullRestMs = 600_000
/** Another store is held once the held one was not met for so long. A failed reading is tried again then. */
const restMs = 60_000
/** The share of the limit up to which versions are read. They become more. */
const room = 0.8
/** What is tried in turn until the sums agree. What is stored meanwhile makes them differ, too. */
const tries = ['new', 'new', 'differing', 'new', 'differing', 'new', 'none'] as const

/** elsewhere: another server answers. many: more than `mostRows`. later: not yet. differs: waits for a change. */
type Outcome = 'whole' | 'elsewhere' | 'many' | 'later' | 'differs'

export class Follower {
  private readonly source: Source
  private readonly options: Required<FollowerOptions> & { mostVersions: number }
  /** Answers and changes go one at a time. */
  readonly inTurn = createTurns()
  private held: Held | undefined
  private isReading = false
  private restsUntil = -Infinity
  private readonly fullReadings: Record<Table, number> = {
    open_versions: 0,
    closed_versions: 0,
    user_versions: 0,
  }

  constructor(source: Source, options: FollowerOptions) {
    this.source = source
    this.options = {
      mostFirstRows: mostRowsBeside,
      mostRowsAtOnce: 20_000,
      clock: () => performance.now(),
      now: Date.now,
      onError: () => undefined,
      ...options,
      mostVersions: options.mostVersions ?? toMostVersions(ownMemoryBytes()),
    }
  }

  /** The list of the store; `undefined` while it is not asked. */
  async list(): Promise<List | undefined> {
    return this.options.clock() < this.restsUntil ? undefined : this.source.list()
  }

  /** What is held, if it is what the store has. */
  async follow(listed: Promise<List | undefined>): Promise<Held | undefined> {
    const { clock, mostFirstRows, mostRowsAtOnce, onError } = this.options
    try {
      const list = await listed
      if (list === undefined || this.isReading) return undefined
      const held = await this.choose(list)
      if (held === undefined) return undefined
      const isChanged = tables.some((table) => held.of[table].parts !== list.of[table].parts)
      if (!isChanged) held.metAt = clock()
      if (!isChanged) return held.isWhole ? held : undefined
      // Nothing is held yet: a question would read these rows as well.
      const mostRows = held.heldAt === undefined ? mostFirstRows : mostRowsAtOnce
      const outcome = await this.inTurn(() => this.takeIn(held, list, mostRows))
      if (outcome === 'many') this.readMany(held, list)
      if (outcome === 'elsewhere' && clock() > held.metAt + restMs) this.held = undefined
      return outcome === 'whole' ? held : undefined
    } catch (error) {
      if (codeOf(error) === denied) this.restsUntil = clock() + restMs
      else if (codeOf(error) !== elsewhere) onError(error)
      return undefined
    }
  }

  status(): HeldStatus {
    const { isReading, fullReadings } = this
    const { heldAt = null, since = 0, memory } = this.held ?? {}
    const columns = memory === undefined || heldAt === null ? [] : [memory.open, memory.closed]
    const sum = (of: 'size' | 'bytes') => columns.reduce((all, { [of]: n }) => all + n, 0)
    return { versions: sum('size'), bytes: sum('bytes'), heldAt, since, isReading, fullReadings }
  }

  /** Open versions, and closed ones as far as they fit: those that ended last. */
  private async choose({ of }: List): Promise<Held | undefined> {
    const { mostVersions, now, clock } = this.options
    const rest = mostVersions - of.open_versions.rows - of.user_versions.rows
    if (rest < 0) return (this.held = undefined)
    const { since, memory, of: states } = this.held ?? this.createHeld()
    let reached = since
    if (of.closed_versions.rows <= rest * (since === 0 ? 1 : room)) {
      if (clock() >= states.closed_versions.readAt + fullRestMs) reached = 0
    } else if (since === 0 || memory.closed.size > rest)
      reached = await this.source.endBefore(Math.floor(rest * room))
    if (reached > now()) return (this.held = undefined)
    this.held ??= this.createHeld()
    if (reached !== since) await this.reach(this.held, reached)
    return this.held
  }

  private async reach(held: Held, since: number): Promise<void> {
    await this.inTurn(async () => {
      change(held)
      held.since = since
      const { closed } = held.memory
      await closed.removeRows((row) => closed.values.valid_to[row]! <= since)
    })
  }

  /** Reads until the sums agree, unless more than `mostRows` have to be read. */
  private async takeIn(held: Held, list: List, mostRows: number): Promise<Outcome> {
    let outdated = tables.filter((table) => held.of[table].parts !== list.of[table].parts)
    for (const what of tries) {
      const toQuestion = (table: Table) => {
        const { last } = held.of[table]
        return { table, since: held.since, last, after: Math.max(0, last - outOfTurn) }
      }
      const sums = await this.source.sums(outdated.map(toQuestion))
      if (sums.tables.split(',').length !== tables.length) return 'elsewhere'
      held.store ??= sums
      if (sums.server !== held.store.server || sums.tables !== held.store.tables) return 'elsewhere'
      const differs = (table: Table) => held.contents[table].sum !== sums.of.get(table)!.sum
      outdated = outdated.filter(differs)
      if (outdated.some((table) => sums.of.get(table)!.last < held.of[table].last)) return 'elsewhere'
      if (what !== 'none') {
        const outcomes = await Promise.all(
          outdated.map((table) =>
            what === 'new' && held.of[table].last > 0
              ? this.readNew(held, table, sums, mostRows)
              : this.readDiffering(held, table, list, mostRows),
          ),
        )
        const [outcome] = outcomes.filter((each) => each !== undefined)
        if (outcome !== undefined) return outcome
      }
      outdated = outdated.filter(differs)
      if (outdated.length > 0) continue
      held.metAt = this.options.clock()
      held.heldAt ??= this.options.now()
      held.isWhole = true
      break
    }
    for (const table of tables) held.of[table].parts = list.of[table].parts
    return held.isWhole ? 'whole' : 'differs'
  }

  private async readNew(
    held: Held,
    table: Table,
    sums: Sums,
    mostRows: number,
  ): Promise<Outcome | undefined> {
    const state = held.of[table]
    const { fresh, rows, last } = sums.of.get(table)!
    const blocks = fresh.filter((block) => !state.read.has(block))
    if (blocks.length === 0 || blocks.length > mostBlocks) return undefined
    if (rows > mostRows) return 'many'
    const followed = { table, since: held.since }
    const read: Block[] = []
    for await (const block of this.source.read(followed, sums.server, { blocks }, rows)) read.push(block)
    change(held)
    await (table === 'open_versions' ? held.memory.open.replace(read) : held.contents[table].apply(read))
    note(state, blocks, last)
    return undefined
  }

  private async readDiffering(
    held: Held,
    table: Table,
    list: List,
    mostRows: number,
  ): Promise<Outcome | undefined> {
    const { clock } = this.options
    const state = held.of[table]
    const followed = { table, since: held.since }
    const { server } = held.store!
    const content = held.contents[table]
    const { sums, last } = await this.source.sumBuckets(followed, server)
    const { isDiffering, differing } = toDiffering(await content.sumBuckets(), sums)
    const isAll = state.last === 0 || differing.length > mostBuckets
    const rows = isAll ? list.of[table].rows : (list.of[table].rows * differing.length) / isDiffering.length
    if (isAll && rows > this.options.mostRowsAtOnce && clock() < state.readAt + fullRestMs) return 'later'
    if (rows > mostRows) return 'many'
    change(held)
    if (isAll) this.fullReadings[table]++
    await content.removeBuckets(isAll ? isDiffering.fill(1) : isDiffering)
    if (isAll && content instanceof Columns) await content.reserve(rows)
    const read = this.source.read(
      followed,
      server,
      { upTo: last, buckets: isAll ? undefined : differing },
      rows,
    )
    await content.apply(noted(read, (block) => note(state, block.columns.at(-1) as Uint32Array, last)))
    note(state, [], last)
    if (isAll) state.readAt = clock()
    return undefined
  }

  /** In the background. The next look begins with what was read. */
  private readMany(held: Held, list: List): void {
    const { clock, onError } = this.options
    this.isReading = true
    void this.inTurn(() => this.takeIn(held, list, Infinity))
      .catch((error: unknown) => {
        this.restsUntil = clock() + restMs
        onError(error)
      })
      .finally(() => (this.isReading = false))
  }

  private createHeld(): Held {
    const create = (): TableState => ({ last: 0, read: new Set(), parts: undefined, readAt: -Infinity })
    const of = { open_versions: create(), closed_versions: create(), user_versions: create() }
    const metAt = this.options.clock()
    const memory = createEmpty()
    const contents = {
      open_versions: memory.open,
      closed_versions: memory.closed,
      user_versions: memory.people,
    }
    return { memory, contents, isWhole: false, since: 0, store: undefined, metAt, heldAt: undefined, of }
  }
}

/** Codes of the store. */
const denied = '497'
const elsewhere = '395'
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** What is held is about to change. */
function change(held: Held): void {
  held.isWhole = false
  for (const table of tables) held.of[table].parts = undefined
  held.memory.memo.clear()
}

async function* noted(blocks: AsyncIterable<Block>, each: (block: Block) => void): AsyncGenerator<Block> {
  for await (const block of blocks) {
    each(block)
    yield block
  }
}

function note(state: TableState, blocks: Iterable<number>, last: number): void {
  for (const block of blocks) if (block > last - outOfTurn) state.read.add(block)
  state.last = Math.max(state.last, last)
  for (const block of state.read) if (block <= state.last - outOfTurn) state.read.delete(block)
}
