import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound, Problem } from '../platform/http/problem.ts'
import { ValidationError } from '../platform/http/validation.ts'
import { defaultCountry } from './find.ts'
import { keyHash } from './keys.ts'
import type { Fields, MatchKey, RecordType, State, Surroundings } from './record-type.ts'
import { insertRecords, lockRecord, updateRecords } from './write.ts'

/** What the writes of `inputs` need to know of the org. */
export async function surroundingsOf(
  tx: Tx,
  type: RecordType,
  inputs: readonly Fields[],
): Promise<Surroundings> {
  return {
    defaultCountry: inputs.some((fields) => type.needsCountry(fields)) ? await defaultCountry(tx) : null,
  }
}

/**
 * Fills in what the references of `states` stand for now.
 * @returns for each state the Problem that names a reference to a record that this org does not have, or null
 */
export async function resolveReferences(
  tx: Tx,
  orgId: string,
  type: RecordType,
  states: readonly State[],
): Promise<(Problem | null)[]> {
  const problems: (Problem | null)[] = states.map(() => null)
  for (const { field, rawColumn, column, to } of type.references) {
    const named = [...new Set(states.map((state) => state[rawColumn]).filter((id) => typeof id === 'string'))]
    if (named.length === 0) continue
    const rows = await tx.rows<{ named: string; root: string }>({
      text: `
        select ${to}_id as named, coalesce(merged_into_id, ${to}_id) as root from ${to}
        where org_id = $1 and ${to}_id = any($2::uuid[]) and status <> 'erased'`,
      values: [orgId, named],
    })
    const roots = new Map(rows.map((row) => [row.named, row.root]))
    states.forEach((state, index) => {
      const raw = state[rawColumn] as string | null
      state[column] = raw === null ? null : (roots.get(raw) ?? null)
      if (raw !== null && !roots.has(raw)) {
        problems[index] = notFound(`${field}: no ${to} of this organization has the id ${raw}`)
      }
    })
  }
  return problems
}

async function resolveOne(tx: Tx, orgId: string, type: RecordType, state: State): Promise<State> {
  const [problem] = await resolveReferences(tx, orgId, type, [state])
  if (problem) throw problem
  return state
}

/** Creates a record; its id. @throws ValidationError; Problem 404 that names a reference */
export async function createRecord(tx: Tx, actor: Actor, type: RecordType, fields: Fields): Promise<string> {
  const state = type.apply(null, fields, await surroundingsOf(tx, type, [fields]), false)
  const [recordId] = await insertRecords(tx, actor, type, [await resolveOne(tx, actor.orgId, type, state)])
  return recordId!
}

/** Changes the fields that are given of an active record; its id. @throws ValidationError; Problem 404, 409 */
export async function changeRecord(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  recordId: string,
  fields: Fields,
  options: { version?: number | undefined; add?: boolean } = {},
): Promise<string> {
  const stored = await lockRecord(tx, actor.orgId, type, recordId, options.version)
  if (stored.status !== 'active') {
    throw new Problem(
      409,
      `This ${type.entity} is archived: restore it first (POST ${type.path}/${stored.recordId}/restore)`,
    )
  }
  const state = type.apply(
    stored.state,
    fields,
    await surroundingsOf(tx, type, [fields]),
    options.add ?? false,
  )
  await updateRecords(tx, actor, type, [{ stored, state: await resolveOne(tx, actor.orgId, type, state) }])
  return stored.recordId
}

export type Upserted = { recordId: string; outcome: 'created' | 'updated' }

/**
 * Updates the one active record that shares a key of the kind `matchOn` with `fields`, or creates one. Upserts by the
 * same key wait for one another, so that two at once never create two.
 * @throws ValidationError without such a key; Problem 409 that names the candidates if several match; 404
 */
export async function upsertRecord(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  matchOn: string,
  fields: Fields,
): Promise<Upserted> {
  const fresh = type.apply(null, fields, await surroundingsOf(tx, type, [fields]), false)
  const keys = type.matchOn[matchOn]!(fresh)
  if (keys.length === 0) {
    const msg = `Value error, match_on is ${matchOn}, but the body has none to match on`
    throw new ValidationError([{ type: 'value_error', loc: ['body', 'match_on'], msg, ctx: { error: {} } }])
  }
  await lockKeys(tx, actor.orgId, type, keys)
  const matches = await recordsWith(tx, actor.orgId, type, keys)
  if (matches.length > 1) {
    throw new Problem(
      409,
      `${matches.length} ${type.path.slice(1)} match on ${matchOn}: ${matches.join(', ')}. Update one of them by its id, or merge them first`,
    )
  }
  const [match] = matches
  if (match)
    return { recordId: await changeRecord(tx, actor, type, match, fields, { add: true }), outcome: 'updated' }
  const [recordId] = await insertRecords(tx, actor, type, [await resolveOne(tx, actor.orgId, type, fresh)])
  return { recordId: recordId!, outcome: 'created' }
}

/** Holds the keys until the transaction ends; sorted, so that two upserts never wait for each other in a circle. */
async function lockKeys(tx: Tx, orgId: string, type: RecordType, keys: readonly MatchKey[]): Promise<void> {
  const locks = keys
    .map((key) => keyHash({ kind: `${orgId} ${type.entity} ${key.kind}`, value: key.value }))
    .sort()
  await tx.run({ text: 'select pg_advisory_xact_lock(k) from unnest($1::bigint[]) as k', values: [locks] })
}

/** Ids of the active records that have any of the keys; at most ten, oldest first. */
async function recordsWith(
  tx: Tx,
  orgId: string,
  type: RecordType,
  keys: readonly MatchKey[],
): Promise<string[]> {
  const id = type.idField
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      select distinct t.${id} as record_id
      from unnest($2::text[], $3::bigint[]) as k (kind, hash)
      join ${type.entity}_key t on t.org_id = $1 and t.kind = k.kind and t.hash = k.hash
      order by t.${id} limit 10`,
    values: [orgId, keys.map((key) => key.kind), keys.map(keyHash)],
  })
  return rows.map((row) => row.record_id)
}
