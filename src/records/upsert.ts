import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { refuse } from '../platform/http/fields.ts'
import { conflict, Problem } from '../platform/http/problem.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { mapInSlices } from '../platform/slices.ts'
import { matchedMember } from './clusters/attribution.ts'
import { freshState, surroundingsOf } from './create.ts'
import { hashedKeys, keyName } from './keys.ts'
import type { Stored } from './lock.ts'
import { candidatesMax, findMatches, holdMatches, isMatch, type Match } from './match.ts'
import type { Fields, RecordType, State, Surroundings } from './record-type.ts'
import { namesReference, resolveReferences } from './references.ts'
import { insertRecords, updateRecords } from './write.ts'

/** Records that are stored in one statement at most, and after how many keys no other is. */
const lotMax = 100
const lotKeysMax = 1_000

/** A record to create, or with `matchOn` to upsert. */
export type Item = { fields: Fields; matchOn?: string | undefined }

export type Written = { outcome: 'created' | 'updated'; recordId: string }

/** An item that cannot be written, and why. */
export type Failed = { outcome: 'failed'; error: ValidationError | Problem }

/** An item, and the record that it makes if none matches. */
type Plan = { outcome: null; fields: Fields; fresh: State; match: Match | null }

/** What is to be stored: a new record, or what becomes of `stored`. */
type Draft = { outcome: null; fields: Fields; match: Match | null; stored: Stored | null; state: State }

/**
 * Upserts one record; upserts by the same key wait for one another, so that two at once never create two.
 * @throws ValidationError without a key to match on; Problem 404; 409 that names the candidates if several match
 */
export async function upsertRecord(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  matchOn: string,
  fields: Fields,
): Promise<Written> {
  const [result] = await writeItems(tx, actor, type, [{ fields, matchOn }])
  if (result!.outcome === 'failed') throw result!.error
  return result!
}

/** Creates and upserts as if one item after the other, in few statements; for each what became of it. */
export async function writeItems(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  items: readonly Item[],
): Promise<(Written | Failed)[]> {
  const inputs = items.map(({ fields }) => fields)
  const surroundings = await surroundingsOf(tx, actor.orgId, type, inputs)
  const plans = await mapInSlices(actor.orgId, items, (item) => attempt(() => plan(type, item, surroundings)))
  await holdNamed(tx, actor.orgId, type, plans)
  await holdMatches(tx, actor.orgId, type, matchesOf(plans))
  const results: (Written | Failed)[] = []
  while (results.length < plans.length) {
    const lot = independent(type, plans.slice(results.length))
    const found = await findMatches(tx, actor.orgId, type, matchesOf(lot))
    for (let written = 0; written < lot.length; ) {
      const drafts = draftWave(type, lot.slice(written), found, surroundings)
      results.push(...(await store(tx, actor, type, drafts, surroundings)))
      written += drafts.length
    }
  }
  return results
}

/** @throws ValidationError */
function plan(type: RecordType, { fields, matchOn }: Item, surroundings: Surroundings): Plan {
  const fresh = freshState(type, fields, surroundings)
  if (matchOn === undefined) return { outcome: null, fields, fresh, match: null }
  const keys = hashedKeys(type.matchOn[matchOn]!(fresh))
  if (keys.length > 0) return { outcome: null, fields, fresh, match: { matchOn, keys } }
  const why = refuse(`match_on is ${matchOn}, but the body has none to match on`)
  throw new ValidationError([detailAt(['body', 'match_on'], why)])
}

const matchesOf = (plans: readonly (Plan | Failed)[]): Match[] =>
  plans.flatMap((each) => (each.outcome === null && each.match ? [each.match] : []))

/** What the items name is held before what they match, as whoever merges it holds it before those that name it. */
async function holdNamed(
  tx: Tx,
  orgId: string,
  type: RecordType,
  plans: readonly (Plan | Failed)[],
): Promise<void> {
  if (matchesOf(plans).length === 0) return
  const naming = plans.flatMap((each) =>
    each.outcome === null && namesReference(type, each.fields) ? [each.fresh] : [],
  )
  await resolveReferences(tx, orgId, type, naming)
}

/**
 * The longest beginning of `plans` in which none matches on a key that one before it brings, and which can be stored
 * without keeping the thread for long.
 */
function independent(type: RecordType, plans: (Plan | Failed)[]): (Plan | Failed)[] {
  const brought = new Set<string>()
  const end = plans.findIndex((each, index) => {
    if (each.outcome === 'failed') return false
    if (index >= lotMax || brought.size >= lotKeysMax) return true
    if (each.match?.keys.some((key) => brought.has(keyName(key)))) return true
    for (const key of hashedKeys(type.keys(each.fresh))) brought.add(keyName(key))
    return false
  })
  return end === -1 ? plans : plans.slice(0, end)
}

/**
 * Drafts for the items of `lot`, up to the first that matches a record which one before it changes.
 * @param found what each upsert of `lot` matches; those of the drafts are taken off
 */
function draftWave(
  type: RecordType,
  lot: readonly (Plan | Failed)[],
  found: Stored[][],
  surroundings: Surroundings,
): (Draft | Failed)[] {
  const changed = new Set<Stored>()
  const drafts: (Draft | Failed)[] = []
  for (const each of lot) {
    if (each.outcome === 'failed') {
      drafts.push(each)
      continue
    }
    if (each.match && found[0]!.some((stored) => changed.has(stored))) break
    const { match } = each
    // An external id is replaced by another of the same system: what was found may have lost its key since.
    const candidates = match ? found.shift()!.filter((stored) => isMatch(type, match, stored)) : []
    if (candidates.length === 1) changed.add(candidates[0]!)
    drafts.push(draft(type, each, candidates, surroundings))
  }
  return drafts
}

function draft(
  type: RecordType,
  { fields, fresh, match }: Plan,
  candidates: readonly Stored[],
  surroundings: Surroundings,
): Draft | Failed {
  const [stored, ...others] = candidates
  if (!stored) return { outcome: null, fields, match, stored: null, state: fresh }
  return attempt(() => {
    if (others.length > 0) throw ambiguous(type, match!.matchOn, candidates)
    const state = type.apply(stored.state, fields, surroundings, true)
    type.check(stored.state, state, surroundings)
    return { outcome: null, fields, match, stored, state }
  })
}

function ambiguous(type: RecordType, matchOn: string, candidates: readonly Stored[]): Problem {
  const plural = type.path.slice(1)
  const named = candidates.slice(0, candidatesMax - 1).map(({ recordId }) => recordId)
  const many =
    named.length < candidates.length
      ? `More than ${named.length} ${plural} match on ${matchOn}, among them `
      : `${named.length} ${plural} match on ${matchOn}: `
  return conflict(`${many}${named.join(', ')}. Update one of them by its id`)
}

async function store(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
  surroundings: Surroundings,
): Promise<(Written | Failed)[]> {
  const checked = await refuseBadReferences(tx, actor.orgId, type, drafts)
  const good = checked.filter((each) => each.outcome === null)
  const created = good.flatMap(({ stored, state }) => (stored ? [] : [state]))
  const updated = good.flatMap(({ stored, state, fields, match }) =>
    stored
      ? [
          {
            stored,
            state,
            said: { recordId: namedBy(type, stored, match!), fields, surroundings, add: true },
          },
        ]
      : [],
  )
  const [ids] = await Promise.all([
    created.length > 0 ? insertRecords(tx, actor, type, created) : [],
    updateRecords(tx, actor, type, updated),
  ])
  const newIds = ids.values()
  return checked.map((each) => {
    if (each.outcome === 'failed') return each
    return each.stored
      ? { outcome: 'updated', recordId: each.stored.recordId }
      : { outcome: 'created', recordId: newIds.next().value! }
  })
}

/** The record that an upsert would have met, had none been merged. */
const namedBy = (type: RecordType, { recordId, cluster }: Stored, { matchOn, keys }: Match): string =>
  cluster ? matchedMember(type, cluster, matchOn, keys) : recordId

async function refuseBadReferences(
  tx: Tx,
  orgId: string,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
): Promise<(Draft | Failed)[]> {
  const naming = drafts.filter((each) => each.outcome === null && namesReference(type, each.fields))
  const states = naming.map((each) => (each as Draft).state)
  const problems = await resolveReferences(tx, orgId, type, states)
  const errors = new Map(naming.map((each, index) => [each, problems[index]]))
  return drafts.map((each) => {
    const error = errors.get(each)
    return error ? { outcome: 'failed', error } : each
  })
}

/** @throws whatever is not the item's own fault */
function attempt<Result>(work: () => Result): Result | Failed {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError || error instanceof Problem) return { outcome: 'failed', error }
    throw error
  }
}
