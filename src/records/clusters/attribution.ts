import { isNamed } from '../field-names.ts'
import { hashedKeys, keyName } from '../keys.ts'
import type { Fields, HashedKey, OrgDefaults, RecordType, StoredColumns } from '../record-type.ts'
import type { Cluster, Facts, HiddenElement, Link, UnitWrite } from './cluster.ts'
import { partOf } from './cluster.ts'
import { elementsOf, isExplained, listOf, memberOf, unitsOf } from './facts.ts'
import { ownState, viewOf } from './view.ts'

/** A request. `recordId` is the id that it named, perhaps that of an absorbed record. */
export type Sent = { recordId: string; fields: Fields; orgDefaults: OrgDefaults; add: boolean }

/** What a request wrote to a member of `cluster`, whose canonical record showed `before` and shows `after`. */
export function writeOf(
  type: RecordType,
  cluster: Cluster,
  sent: Sent,
  before: StoredColumns,
  after: StoredColumns,
): Write {
  const { recordId, fields, orgDefaults, add } = sent
  const own = ownState(type, memberOf(cluster, recordId))
  const alone = type.apply(own, fields, orgDefaults, add)
  const fresh = type.apply(null, fields, orgDefaults, false)
  const differs = (column: string) =>
    JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null)
  const named = (column: string) => isNamed(type, fields, column)
  const isSaid = (column: string) =>
    !silent.has(column) && (differs(column) || named(column) || led.has(column))
  const isAbsorbed = recordId !== cluster.rootId
  // A write of a primary element acts on what the named record would show without the merges above it.
  const part = partOf(cluster, recordId)
  const partBefore = isAbsorbed ? viewOf(type, part) : before
  const partAfter = isAbsorbed ? type.apply(partBefore, fields, orgDefaults, add) : after
  const [silent, led] = [new Set<string>(), new Set<string>()]
  const lists: Record<string, ListWrite> = {}
  for (const [column, { primary, keyOf }] of Object.entries(type.merging.lists)) {
    // A growing list keeps its primary element. Clearing that of an absorbed record chooses none for its survivors.
    if (primary && (add || (isAbsorbed && !named(column) && fresh[primary] === null))) silent.add(primary)
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const keysIn = (state: StoredColumns) => keysOf(elementsOf(state[column]))
    const isNamedHere = named(column) || (primary !== undefined && named(primary))
    // A website adds its domain only to a company without a domain of its own.
    const isGained = !isNamedHere && keysIn(alone).difference(keysIn(own)).size > 0
    if (!(isNamedHere || isGained || differs(column))) continue
    const replaces = !add && named(column)
    if (replaces && primary) led.add(primary)
    const said = elementsOf(fresh[column])
    if (replaces) {
      // This also removes elements that are hidden at the moment.
      const all = [...cluster.members.values()].flatMap((facts) => facts.lists[column] ?? [])
      const removed = keysOf(all).difference(keysOf(said))
      lists[column] = { said, elements: said, removed, hiddenAt: new Set(cluster.members.keys()) }
    } else {
      const [from, to] = add || isGained ? [own, alone] : [partBefore, partAfter]
      const removed = keysIn(from).difference(keysIn(to))
      const hiddenAt = new Set(add || isGained ? [] : part.members.keys())
      lists[column] = { said, elements: elementsOf(to[column]), removed, hiddenAt }
    }
  }
  const columns = unitsOf(type)
    // A change of the first column of an explained unit clears the others: the request did not write these.
    .flatMap(([unit, columns]) => (isExplained(type, unit) ? columns.filter(named) : columns.filter(isSaid)))
  const patches = type.merging.patched.filter((column) => fields[column])
  return {
    recordId,
    columns,
    lists,
    patches: Object.fromEntries(patches.map((column) => [column, fields[column] as object])),
  }
}

/**
 * The columns and the cluster of a canonical record after a write: `after`, with the written units and the lists as the
 * cluster shows them.
 */
export function attributed(
  type: RecordType,
  cluster: Cluster,
  write: Write,
  after: StoredColumns,
  seq: number,
): { state: StoredColumns; cluster: Cluster } {
  const written = attribute(type, cluster, completed(type, cluster, write, after), after, seq)
  const view = viewOf(type, written)
  const state: StoredColumns = { ...after, aliases: view.aliases }
  // A write of one column may show another column of its unit again: a currency shows an amount that had none.
  for (const unit of Object.values(type.merging.units ?? {})) {
    const isWritten = unit.some((column) => write.columns.includes(column))
    for (const column of isWritten ? unit : []) state[column] = view[column]
  }
  for (const column in write.lists) {
    const isLink = type.links.find(({ rawColumn }) => rawColumn === column)
    if (isLink)
      Object.assign(state, inOrder(view[column] as string[], after, isLink.rawColumn, isLink.column))
    else state[column] = view[column]
    const { primary } = listOf(type, column)
    if (primary) state[primary] = view[primary]
  }
  return { state, cluster: written }
}

/**
 * Completes a write of a unit with the shown values of its other columns, if the named record has none of its own. So
 * the write stays valid after any undo.
 */
function completed(type: RecordType, cluster: Cluster, write: Write, after: StoredColumns): Write {
  const said = new Set(write.columns)
  const own = ownState(type, memberOf(cluster, write.recordId))
  const missing = Object.values(type.merging.units ?? {}).flatMap(([first = '', ...others]) =>
    !isExplained(type, first) && said.has(first) && after[first] !== null
      ? others.filter((column) => !said.has(column) && own[column] === null)
      : [],
  )
  return missing.length === 0 ? write : { ...write, columns: [...write.columns, ...missing] }
}

/** Raw ids in an order, with their canonical ids. Ids without a canonical record are left out. */
function inOrder(
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

/** The member that an upsert means: the only one whose own keys match; otherwise the root. */
export function matchedMember(
  type: RecordType,
  { rootId, members }: Cluster,
  matchOn: string,
  keys: readonly HashedKey[],
): string {
  const wanted = new Set(keys.map(keyName))
  const [owner, ...others] = [...members]
    .filter(([, facts]) =>
      hashedKeys(type.matchOn[matchOn]?.(ownState(type, facts)) ?? []).some((key) =>
        wanted.has(keyName(key)),
      ),
    )
    .map(([recordId]) => recordId)
  return owner !== undefined && others.length === 0 ? owner : rootId
}

/** What a write said about a list. */
type ListWrite = {
  /** The elements that the request named. */
  said: readonly unknown[]
  /** The list after the write, perhaps with elements of other members. */
  elements: readonly unknown[]
  /** The keys that the write removed. */
  removed: ReadonlySet<string>
  /** The members at which these are hidden, besides the named record. */
  hiddenAt: ReadonlySet<string>
}

/** What a write said: about which id, columns and lists. */
export type Write = {
  recordId: string
  columns: readonly string[]
  lists: Readonly<Record<string, ListWrite>>
  /** By column, the members that it wrote, if it did not replace the whole object. */
  patches?: Readonly<Record<string, object>>
}

/**
 * The cluster after a write, whose root then shows `after`. The values belong to the id that the request named. List
 * elements are removed from that id and hidden at other members.
 * @param seq the place of the write in the order of writes of the org
 */
function attribute(
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
    const said = whole.filter((column) => columns.includes(column))
    if (said.length === 0) continue
    const patch = patches[unit]
    if (patch) {
      written.units[unit] = withPatch(own.units[unit] ?? [], [seq, { [unit]: patch }, 'open'])
      continue
    }
    const write: UnitWrite = [seq, Object.fromEntries(said.map((column) => [column, after[column] ?? null]))]
    const explained = isExplained(type, unit)
    const earlier = visibleWrites(own.units[unit] ?? [], write[1], whole, cluster.links, explained)
    written.units[unit] = [...earlier, write]
  }
  for (const [column, list] of Object.entries(lists)) {
    const { keyOf } = listOf(type, column)
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const named = keysOf(list.said)
    const kept = (own.lists[column] ?? []).filter((element) => !list.removed.has(keyOf(element)))
    const keptKeys = keysOf(kept)
    const isOwn = (element: unknown) => named.has(keyOf(element)) || keptKeys.has(keyOf(element))
    const first = list.elements.filter(isOwn)
    const firstKeys = keysOf(first)
    // Elements that another member's write has hidden stay, in case they show again.
    written.lists[column] = [...first, ...kept.filter((element) => !firstKeys.has(keyOf(element)))]
    written.hidden[column] = (own.hidden[column] ?? []).filter(([key]) => !named.has(key))
    for (const [memberId, facts] of members) {
      if (memberId === recordId || !list.hiddenAt.has(memberId)) continue
      const merges = joining(cluster.links, recordId, memberId)
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

/** The writes of a unit after a patch, which joins the patch before if no merge used that one. */
function withPatch(writes: readonly UnitWrite[], [seq, patch]: UnitWrite): UnitWrite[] {
  const last = writes.at(-1)
  if (last?.[2] !== 'open') return [...writes, [seq, patch, 'open']]
  const joined = Object.entries(patch).map(([column, members]) => [
    column,
    { ...(last[1][column] as object), ...(members as object) },
  ])
  return [...writes.slice(0, -1), [seq, Object.fromEntries(joined), 'open']]
}

/** The writes of a unit that are still visible after a later write. */
function visibleWrites(
  writes: readonly UnitWrite[],
  later: UnitWrite[1],
  whole: readonly string[],
  links: readonly Link[],
  explained: boolean,
): readonly UnitWrite[] {
  const said = Object.keys(later)
  if (said.length === whole.length) return []
  // A merge since that write has used its value.
  const isSeen = (at: number) => at === 0 || links.some(({ seq }) => seq > at)
  const isCovered = ([at, write]: UnitWrite) =>
    !isSeen(at) && Object.keys(write).every((column) => said.includes(column))
  const [first = ''] = whole
  // Keep the last write of another value: otherwise the details of an earlier value would apply to the later one.
  const changing = explained && writes.findLast((each) => isCovered(each) && each[1][first] !== later[first])
  return writes.filter((each) => each === changing || !isCovered(each))
}

/** The merges between two members. */
function joining(links: readonly Link[], from: string, to: string): string[] {
  const up = (id: string): Link[] => {
    const link = links.find(({ loserId }) => loserId === id)
    return link ? [link, ...up(link.survivorId)] : []
  }
  const [one, other] = [up(from), up(to)]
  // Merges above their common ancestor are on both ways.
  return [...one.filter((link) => !other.includes(link)), ...other.filter((link) => !one.includes(link))].map(
    ({ mergeId }) => mergeId,
  )
}
