import { isNamed } from '../field-names.ts'
import { hashedKeys, keyName } from '../keys.ts'
import type { Fields, HashedKey, OrgDefaults, RecordType, StoredColumns } from '../record-type.ts'
import type { Cluster, Facts, HiddenElement, MergeLink, UnitWrite } from './cluster.ts'
import { subclusterOf } from './cluster.ts'
import { elementsOf, isExplained, listOf, memberOf, unitsOf } from './facts.ts'
import { derivingView, unmergedState, viewOf } from './view.ts'

/**
 * A write that a request sent. The named record is the one with `recordId`: the canonical record, or an absorbed one.
 */
export type SentWrite = { recordId: string; fields: Fields; orgDefaults: OrgDefaults; add: boolean }

/** Finds what a request wrote to a member of `cluster`. The canonical record changed from `before` to `after`. */
export function writeOf(
  type: RecordType,
  cluster: Cluster,
  sent: SentWrite,
  before: StoredColumns,
  after: StoredColumns,
): Write {
  const { recordId, fields, orgDefaults, add } = sent
  const own = unmergedState(type, memberOf(cluster, recordId))
  const alone = type.apply(own, fields, orgDefaults, add)
  const fresh = type.apply(null, fields, orgDefaults, false)
  const differs = (column: string) =>
    JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null)
  const named = (column: string) => isNamed(type, fields, column)
  const isWritten = (column: string) =>
    !silent.has(column) && (differs(column) || named(column) || led.has(column))
  const isAbsorbed = recordId !== cluster.rootId
  // Compare with the named record as it would be without any merge.
  const part = subclusterOf(cluster, recordId)
  const partBefore = isAbsorbed ? viewOf(type, part) : before
  const partAfter = isAbsorbed ? type.apply(partBefore, fields, orgDefaults, add) : after
  const [silent, led] = [new Set<string>(), new Set<string>()]
  const lists: Record<string, ListWrite> = {}
  for (const [column, { primary, keyOf }] of Object.entries(type.merging.lists)) {
    // A list that only grows keeps its primary element. Clearing the primary element of an absorbed record makes no
    // other element primary.
    if (primary && (add || (isAbsorbed && !named(column) && fresh[primary] === null))) silent.add(primary)
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const keysIn = (state: StoredColumns) => keysOf(elementsOf(state[column]))
    const isNamedHere = named(column) || (primary !== undefined && named(primary))
    // A website adds its domain only to a company that has no domain of its own.
    const isGained = !isNamedHere && keysIn(alone).difference(keysIn(own)).size > 0
    if (!(isNamedHere || isGained || differs(column))) continue
    const replaces = !add && named(column)
    if (replaces && primary) led.add(primary)
    const sent = elementsOf(fresh[column])
    if (replaces) {
      // Replacing a list also removes hidden elements.
      const all = [...cluster.members.values()].flatMap((facts) => facts.lists[column] ?? [])
      const removed = keysOf(all).difference(keysOf(sent))
      lists[column] = { named: sent, elements: sent, removed, hiddenAt: new Set(cluster.members.keys()) }
    } else {
      const [from, to] = add || isGained ? [own, alone] : [partBefore, partAfter]
      const removed = keysIn(from).difference(keysIn(to))
      const hiddenAt = new Set(add || isGained ? [] : part.members.keys())
      lists[column] = { named: sent, elements: elementsOf(to[column]), removed, hiddenAt }
    }
  }
  const columns = unitsOf(type)
    // A change of an explained unit's first column clears its other columns. Leave them out: the request did not
    // write them.
    .flatMap(([unit, columns]) =>
      isExplained(type, unit) ? columns.filter(named) : columns.filter(isWritten),
    )
  const patches = type.merging.patched.filter((column) => fields[column])
  return {
    recordId,
    columns,
    lists,
    patches: Object.fromEntries(patches.map((column) => [column, fields[column] as object])),
  }
}

/**
 * Computes the columns and the cluster after a write, in steps. Written units and lists show the derived value, and all other
 * columns the value of `after`.
 */
export function* attributingWrite(
  type: RecordType,
  cluster: Cluster,
  write: Write,
  after: StoredColumns,
  seq: number,
): Generator<undefined, { state: StoredColumns; cluster: Cluster }> {
  const written = storeInFacts(type, cluster, completeWrite(type, cluster, write, after), after, seq)
  const view = yield* derivingView(type, written)
  const state: StoredColumns = { ...after, aliases: view.aliases }
  // A write can make another column of its unit visible again. Example: the amount appears when the currency is
  // written.
  for (const unit of Object.values(type.merging.units ?? {})) {
    const isWritten = unit.some((column) => write.columns.includes(column))
    for (const column of isWritten ? unit : []) state[column] = view[column]
  }
  for (const column in write.lists) {
    const isLink = type.links.find(({ rawColumn }) => rawColumn === column)
    if (isLink)
      Object.assign(state, orderLinks(view[column] as string[], after, isLink.rawColumn, isLink.column))
    else state[column] = view[column]
    const { primary } = listOf(type, column)
    if (primary) state[primary] = view[primary]
  }
  return { state, cluster: written }
}

/**
 * Adds the columns of a unit that the named record lacks, with the shown values. The write then stays valid after any
 * undo.
 */
function completeWrite(type: RecordType, cluster: Cluster, write: Write, after: StoredColumns): Write {
  const writtenColumns = new Set(write.columns)
  const own = unmergedState(type, memberOf(cluster, write.recordId))
  const missing = Object.values(type.merging.units ?? {}).flatMap(([first = '', ...others]) =>
    !isExplained(type, first) && writtenColumns.has(first) && after[first] !== null
      ? others.filter((column) => !writtenColumns.has(column) && own[column] === null)
      : [],
  )
  return missing.length === 0 ? write : { ...write, columns: [...write.columns, ...missing] }
}

/** Puts the linked ids in the given order. Ids without a canonical record are left out. */
function orderLinks(
  order: readonly string[],
  state: StoredColumns,
  rawColumn: string,
  column: string,
): StoredColumns {
  const raws = state[rawColumn] as string[]
  const roots = new Map(raws.map((raw, index) => [raw, (state[column] as string[])[index]]))
  const known = order.filter((raw) => roots.has(raw))
  return { [rawColumn]: known, [column]: known.map((raw) => roots.get(raw)) }
}

/** Returns the member that an upsert writes to: the only member whose own keys match, otherwise the root. */
export function matchedMember(
  type: RecordType,
  { rootId, members }: Cluster,
  matchOn: string,
  keys: readonly HashedKey[],
): string {
  const wanted = new Set(keys.map(keyName))
  const [owner, ...others] = [...members]
    .filter(([, facts]) =>
      hashedKeys(type.matchOn[matchOn]?.(unmergedState(type, facts)) ?? []).some((key) =>
        wanted.has(keyName(key)),
      ),
    )
    .map(([recordId]) => recordId)
  return owner !== undefined && others.length === 0 ? owner : rootId
}

type ListWrite = {
  named: readonly unknown[]
  /** The list after the write, with elements of other members. */
  elements: readonly unknown[]
  removed: ReadonlySet<string>
  /** The members other than the named record: the removed elements are hidden there. */
  hiddenAt: ReadonlySet<string>
}

export type Write = {
  recordId: string
  columns: readonly string[]
  lists: Readonly<Record<string, ListWrite>>
  /** The written members of each object column. A replaced object is not listed. */
  patches?: Readonly<Record<string, object>>
}

/**
 * Stores a write in the facts of the named record. Removed list elements are deleted there, and hidden at other
 * members.
 * @param seq the place of the write in the order of writes of the org
 */
function storeInFacts(
  type: RecordType,
  cluster: Cluster,
  { recordId, columns, lists, patches = {} }: Write,
  after: StoredColumns,
  seq: number,
): Cluster {
  const members = new Map(cluster.members)
  const own = memberOf(cluster, recordId)
  const written: Facts = {
    units: { ...own.units },
    lists: { ...own.lists },
    hidden: { ...own.hidden },
  }
  members.set(recordId, written)
  for (const [unit, whole] of unitsOf(type)) {
    const writtenColumns = whole.filter((column) => columns.includes(column))
    if (writtenColumns.length === 0) continue
    const patch = patches[unit]
    if (patch) {
      written.units[unit] = withPatch(own.units[unit] ?? [], [seq, { [unit]: patch }, 'open'])
      continue
    }
    const write: UnitWrite = [
      seq,
      Object.fromEntries(writtenColumns.map((column) => [column, after[column] ?? null])),
    ]
    const explained = isExplained(type, unit)
    const earlier = visibleWrites(own.units[unit] ?? [], write[1], whole, cluster.links, explained)
    written.units[unit] = [...earlier, write]
  }
  for (const [column, list] of Object.entries(lists)) {
    const { keyOf, primary } = listOf(type, column)
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const named = keysOf(list.named)
    // A removed element that comes back is not primary.
    const lead = primary ? (written.units[primary]?.at(-1)?.[1][primary] ?? null) : null
    if (primary && lead !== null && list.removed.has(keyOf(lead))) delete written.units[primary]
    const kept = (own.lists[column] ?? []).filter((element) => !list.removed.has(keyOf(element)))
    const keptKeys = keysOf(kept)
    const isOwn = (element: unknown) => named.has(keyOf(element)) || keptKeys.has(keyOf(element))
    const first = list.elements.filter(isOwn)
    const firstKeys = keysOf(first)
    // Keep elements that a write to another member has hidden: an undo can show them again.
    written.lists[column] = [...first, ...kept.filter((element) => !firstKeys.has(keyOf(element)))]
    written.hidden[column] = (own.hidden[column] ?? []).filter(([key]) => !named.has(key))
    for (const [memberId, facts] of members) {
      if (memberId === recordId || !list.hiddenAt.has(memberId)) continue
      const merges = mergesBetween(cluster.links, recordId, memberId)
      const earlier = facts.hidden[column] ?? []
      const isHidden = (key: string) =>
        earlier.some(([hidden, by]) => hidden === key && by.every((mergeId) => merges.includes(mergeId)))
      const hides = (facts.lists[column] ?? [])
        .map(keyOf)
        .filter((key) => list.removed.has(key) && !isHidden(key))
      if (hides.length === 0) continue
      const hidden = [...earlier, ...hides.map((key): HiddenElement => [key, merges])]
      members.set(memberId, { ...facts, hidden: { ...facts.hidden, [column]: hidden } })
    }
  }
  return { ...cluster, members }
}

/** Adds a patch to the writes of a unit. Patches without a merge between them become one patch. */
function withPatch(writes: readonly UnitWrite[], [seq, patch]: UnitWrite): UnitWrite[] {
  const last = writes.at(-1)
  if (last?.[2] !== 'open') return [...writes, [seq, patch, 'open']]
  const joined = Object.entries(patch).map(([column, members]) => [
    column,
    { ...(last[1][column] as object), ...(members as object) },
  ])
  return [...writes.slice(0, -1), [seq, Object.fromEntries(joined), 'open']]
}

/** Returns the earlier writes of a unit that still count after a later write. */
function visibleWrites(
  writes: readonly UnitWrite[],
  later: UnitWrite[1],
  whole: readonly string[],
  links: readonly MergeLink[],
  explained: boolean,
): readonly UnitWrite[] {
  const writtenColumns = Object.keys(later)
  if (writtenColumns.length === whole.length) return []
  // A merge uses the values that were written before it.
  const isSeen = (at: number) => at === 0 || links.some(({ seq }) => seq > at)
  const isCovered = ([at, write]: UnitWrite) =>
    !isSeen(at) && Object.keys(write).every((column) => writtenColumns.includes(column))
  const [first = ''] = whole
  // Keep the last write that changed the first column. Without this write, older details would apply to the new value.
  const changing = explained && writes.findLast((each) => isCovered(each) && each[1][first] !== later[first])
  return writes.filter((each) => each === changing || !isCovered(each))
}

/** Returns the merges on the path between two members. */
function mergesBetween(links: readonly MergeLink[], from: string, to: string): string[] {
  const up = (id: string): MergeLink[] => {
    const link = links.find(({ loserId }) => loserId === id)
    return link ? [link, ...up(link.survivorId)] : []
  }
  const [one, other] = [up(from), up(to)]
  // Leave out the merges above the common ancestor: both paths contain them.
  return [...one.filter((link) => !other.includes(link)), ...other.filter((link) => !one.includes(link))].map(
    ({ mergeId }) => mergeId,
  )
}
