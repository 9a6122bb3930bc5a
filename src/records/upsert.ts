import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict, DomainError } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { mapInSlices } from '../platform/slices.ts'
import { matchedMember } from './clusters/attribution.ts'
import { newColumns, readOrgDefaults } from './create.ts'
import { hashedKeys, keyName } from './keys.ts'
import { candidatesMax, findMatches, isMatch, lockMatches, type Match, readMatches } from './match.ts'
import type { Fields, OrgDefaults, RecordType, Stored, StoredColumns } from './record-type.ts'
import { namesReference, resolveReferences } from './references.ts'
import { insertRecords, updateRecords } from './write.ts'

/** The most records of one statement, and the number of keys after which it gets no more records. */
const batchMax = 100
const batchKeysMax = 400

/** A record to create or, with `matchOn`, to upsert. */
export type Item = {
  fields: Fields
  matchOn?: string | undefined
  /** The columns of the record to create, where the caller has read them already. */
  fresh?: StoredColumns
}

/** A record before or after a write. */
export type Snapshot = Pick<Stored, 'state' | 'cluster'>

export type Written =
  | { outcome: 'created'; recordId: string }
  | {
      outcome: 'updated'
      recordId: string
      /** The id to which the write belongs: `recordId`, or that of a record that it absorbed. */
      namedId: string
      before: Snapshot
      after: Snapshot
    }

/** An item that cannot be written, and why. */
export type Failed = { outcome: 'failed'; error: ValidationError | DomainError }

/** An item with the new record that it creates if nothing matches. */
type Plan = { outcome: null; fields: Fields; fresh: StoredColumns; match: Match | null }

/** What to store: a new record, or the change of `stored`. */
type Draft = {
  outcome: null
  fields: Fields
  match: Match | null
  stored: Stored | null
  state: StoredColumns
}

/**
 * Upserts one record. Concurrent upserts with the same key wait for each other, so that they never create two
 * records.
 * @throws ValidationError without a key to match on; DomainError not_found; conflict that names the candidates if several match
 */
export async function upsertRecord(
  tx: OrgTx,
  type: RecordType,
  matchOn: string,
  fields: Fields,
): Promise<Written> {
  const [result] = await writeItems(tx, type, [{ fields, matchOn }])
  if (!result) throw new Error('An upsert has no result')
  if (result.outcome === 'failed') throw result.error
  return result
}

/**
 * Creates and upserts items as if one after the other, in few statements.
 * @param importId the import to which the created records belong
 * @returns the result of each item
 */
export async function writeItems(
  tx: OrgTx,
  type: RecordType,
  items: readonly Item[],
  importId: string | null = null,
): Promise<(Written | Failed)[]> {
  const inputs = items.map(({ fields }) => fields)
  const orgDefaults = await readOrgDefaults(tx, type, inputs)
  const plans = await mapInSlices(tx.orgId, items, (item) => attempt(() => plan(type, item, orgDefaults)))
  await lockNamed(tx, type, plans)
  await lockMatches(tx, type, matchesOf(plans))
  const results: (Written | Failed)[] = []
  while (results.length < plans.length) {
    const batch = longestIndependentPrefix(type, plans.slice(results.length))
    const found = await findMatches(tx, type, matchesOf(batch))
    for (let written = 0; written < batch.length; ) {
      const drafts = planUntilConflict(type, batch.slice(written), found, orgDefaults)
      results.push(...(await store(tx, type, drafts, orgDefaults, importId)))
      written += drafts.length
    }
  }
  return results
}

/** What `writeItems` would do with each item if it were the only one. It writes and locks nothing. */
export async function previewItems(
  tx: OrgTx,
  type: RecordType,
  items: readonly Item[],
): Promise<(Written['outcome'] | Failed)[]> {
  const orgDefaults = await readOrgDefaults(tx, type, [])
  const plans = items.map((item) => attempt(() => plan(type, item, orgDefaults)))
  const found = await readMatches(tx, type, matchesOf(plans))
  return plans.map((each) => {
    if (each.outcome === 'failed' || !each.match) return each.outcome === 'failed' ? each : 'created'
    const candidates = found.shift() ?? []
    const drafted = draft(type, each, candidates, orgDefaults)
    if (drafted.outcome === 'failed') return drafted
    return drafted.stored ? 'updated' : 'created'
  })
}

/** @throws ValidationError */
function plan(type: RecordType, item: Item, orgDefaults: OrgDefaults): Plan {
  const { fields, matchOn, fresh = newColumns(type, fields, orgDefaults) } = item
  if (matchOn === undefined) return { outcome: null, fields, fresh, match: null }
  const keys = hashedKeys(type.matchOn[matchOn]?.(fresh) ?? [])
  if (keys.length > 0) return { outcome: null, fields, fresh, match: { matchOn, keys } }
  const why = refuse(
    `match_on is ${matchOn}, but the body does not have it: send it, or choose another match_on`,
  )
  throw new ValidationError([detailAt(['body', 'match_on'], why)])
}

const matchesOf = (plans: readonly (Plan | Failed)[]): Match[] =>
  plans.flatMap((each) => (each.outcome === null && each.match ? [each.match] : []))

/** Lock references before matches; merges use the same order. */
async function lockNamed(tx: OrgTx, type: RecordType, plans: readonly (Plan | Failed)[]): Promise<void> {
  if (matchesOf(plans).length === 0) return
  const naming = plans.flatMap((each) =>
    each.outcome === null && namesReference(type, each.fields) ? [each.fresh] : [],
  )
  await resolveReferences(tx, type, naming)
}

/**
 * The longest prefix of `plans` in which no item matches a key of an earlier item, and which is small enough that
 * storing it does not block the thread for long.
 */
function longestIndependentPrefix(type: RecordType, plans: (Plan | Failed)[]): (Plan | Failed)[] {
  // Keys are hashed only for items that match by them.
  const areMatched = matchesOf(plans.slice(0, batchMax)).length > 0
  const brought = new Set<string>()
  let keys = 0
  const end = plans.findIndex((each, index) => {
    if (each.outcome === 'failed') return false
    if (index >= batchMax || keys >= batchKeysMax) return true
    if (each.match?.keys.some((key) => brought.has(keyName(key)))) return true
    const own = type.keys(each.fresh)
    keys += own.length
    if (areMatched) for (const key of hashedKeys(own)) brought.add(keyName(key))
    return false
  })
  return end === -1 ? plans : plans.slice(0, end)
}

/**
 * Plans the items of `batch` up to the first one that matches a record which an earlier item changes.
 * @param found the matches of each upsert of `batch`; those of the planned items are removed
 */
function planUntilConflict(
  type: RecordType,
  batch: readonly (Plan | Failed)[],
  found: Stored[][],
  orgDefaults: OrgDefaults,
): (Draft | Failed)[] {
  const changed = new Set<Stored>()
  const drafts: (Draft | Failed)[] = []
  for (const each of batch) {
    if (each.outcome === 'failed') {
      drafts.push(each)
      continue
    }
    if (each.match && found[0]?.some((stored) => changed.has(stored))) break
    const { match } = each
    // An earlier write may have replaced the external id by which the record was found.
    const candidates = match ? (found.shift() ?? []).filter((stored) => isMatch(type, match, stored)) : []
    const [only, ...others] = candidates
    if (only && others.length === 0) changed.add(only)
    drafts.push(draft(type, each, candidates, orgDefaults))
  }
  return drafts
}

function draft(
  type: RecordType,
  { fields, fresh, match }: Plan,
  candidates: readonly Stored[],
  orgDefaults: OrgDefaults,
): Draft | Failed {
  const [stored, ...others] = candidates
  if (!stored) return { outcome: null, fields, match, stored: null, state: fresh }
  return attempt(() => {
    if (match && others.length > 0) throw ambiguousMatch(type, match.matchOn, candidates)
    const state = type.apply(stored.state, fields, orgDefaults, true)
    type.check(stored.state, state, orgDefaults)
    return { outcome: null, fields, match, stored, state }
  })
}

function ambiguousMatch(type: RecordType, matchOn: string, candidates: readonly Stored[]): DomainError {
  const plural = type.path.slice(1)
  const named = candidates.slice(0, candidatesMax - 1).map(({ recordId }) => recordId)
  const many =
    named.length < candidates.length
      ? `More than ${named.length} ${plural} match on ${matchOn}, among them `
      : `${named.length} ${plural} match on ${matchOn}: `
  return conflict('ambiguous_match', `${many}${named.join(', ')}. Update one of them by its id`)
}

async function store(
  tx: OrgTx,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
  orgDefaults: OrgDefaults,
  importId: string | null,
): Promise<(Written | Failed)[]> {
  const checked = await refuseBadReferences(tx, type, drafts)
  const good = checked.filter((each) => each.outcome === null)
  const created = good.flatMap(({ stored, state }) => (stored ? [] : [state]))
  const updates = new Map(
    good.flatMap(({ stored, state, fields, match }) => {
      if (!stored) return []
      const said = { recordId: namedBy(type, stored, match), fields, orgDefaults, add: true }
      return [[stored, { stored, state, said, before: snapshotOf(stored) }]]
    }),
  )
  const [ids] = await Promise.all([
    created.length > 0 ? insertRecords(tx, type, created, importId) : [],
    updateRecords(tx, type, [...updates.values()]),
  ])
  const newIds = ids.values()
  return checked.map((each) => {
    if (each.outcome === 'failed') return each
    const update = each.stored && updates.get(each.stored)
    if (update) {
      const { stored, said, before } = update
      const after = snapshotOf(stored)
      return { outcome: 'updated', recordId: stored.recordId, namedId: said.recordId, before, after }
    }
    const recordId = newIds.next().value
    if (recordId === undefined) throw new Error('A created record has no id')
    return { outcome: 'created', recordId }
  })
}

const snapshotOf = ({ state, cluster }: Stored): Snapshot => ({ state, cluster })

/** The member that the upsert would have changed without any merge. */
const namedBy = (type: RecordType, { recordId, cluster }: Stored, match: Match | null): string =>
  cluster && match ? matchedMember(type, cluster, match.matchOn, match.keys) : recordId

async function refuseBadReferences(
  tx: OrgTx,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
): Promise<(Draft | Failed)[]> {
  const naming = drafts.filter((each) => each.outcome === null && namesReference(type, each.fields))
  const states = naming.map((each) => (each as Draft).state)
  const problems = await resolveReferences(tx, type, states)
  const errors = new Map(naming.map((each, index) => [each, problems[index]]))
  return drafts.map((each) => {
    const error = errors.get(each)
    return error ? { outcome: 'failed', error } : each
  })
}

/** Returns the errors of the item itself, and throws all others. */
function attempt<Result>(work: () => Result): Result | Failed {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof DomainError) return { outcome: 'failed', error }
    throw error
  }
}
