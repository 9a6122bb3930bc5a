import { rewriteChanges } from '../imports/changes.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { mapInSlices } from '../platform/slices.ts'
import { type Rewrite, rewriteFacts, rewriteMember } from '../records/clusters/rewrite-member.ts'
import { viewOf } from '../records/clusters/view.ts'
import { readOrgDefaults } from '../records/create.ts'
import {
  type FieldDefinition,
  lockDefinitionsShared,
  type StoredDefinition,
} from '../records/defined-fields/definition.ts'
import { readValue } from '../records/defined-fields/read-value.ts'
import { findTakenValues } from '../records/defined-fields/unique-values.ts'
import { defaultCountry } from '../records/find.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import { namesOf } from '../records/names.ts'
import type { RecordType, StoredColumns, StoredRecord } from '../records/record-type.ts'
import { updateRecords } from '../records/write.ts'
import { recordTypes } from '../segments/entities.ts'
import { convertedValue, type Renames } from './converted-value.ts'
import type { Field } from './schema.ts'

const idsPerStep = rawSql('500')
const shownUnfitMax = 100

type Running = Pick<Field, 'entity' | 'key'> & { renames: Renames; converted_to: string | null }

/** The conversion failed repeatedly. The values that are left can be converted later. */
export async function failConversion(tx: OrgTx, fieldId: string): Promise<void> {
  await tx.run(sql`
    update field_conversion set state = 'failed'
    where org_id = ${tx.orgId} and field_id = ${fieldId} and state = 'running'`)
}

/** Converts the values of the next ids. Returns true at the end. */
export async function convertNext(tx: OrgTx, fieldId: string): Promise<boolean> {
  const running = await tx.first(sql<Running>`
    select d.entity, d.key, c.renames, c.converted_to
    from field_conversion c join field_definition d on d.org_id = c.org_id and d.field_id = c.field_id
    where c.org_id = ${tx.orgId} and c.field_id = ${fieldId} and c.state = 'running' for no key update of c`)
  if (!running) return true
  const definitions = await lockDefinitionsShared(tx, running.entity)
  const definition = definitions.find(({ key }) => key === running.key)
  if (!definition) return true
  const type = recordTypes[running.entity]
  const ids = await nextIds(tx, type, running.key, running.converted_to ?? minUuid)
  const last = ids.at(-1)?.record_id
  if (last === undefined) {
    await tx.run(sql`
      update field_conversion set state = 'succeeded' where org_id = ${tx.orgId} and field_id = ${fieldId}`)
    return true
  }
  const concerned = ids.filter(({ is_concerned }) => is_concerned)
  const stored = await lockRecords(tx, type, [...new Set(concerned.map(({ root_id }) => root_id))])
  // A merge or an undo committed before the records were locked: read them again.
  const isShown = (id: string) =>
    stored.some(
      ({ recordId, status, cluster }) =>
        status !== 'merged' && (recordId === id || cluster?.members.has(id) === true),
    )
  const lockedIds = new Set(stored.map(({ recordId }) => recordId))
  if (concerned.some(({ record_id, root_id }) => lockedIds.has(root_id) && !isShown(record_id))) return false
  const { converted, unfitIds } = await convertRecords(tx, type, stored, {
    ...{ definition, definitions, renames: running.renames },
  })
  // An absorbed id leads to a record that counts under its own id.
  const own = new Set(concerned.map(({ record_id }) => record_id))
  const unfit = unfitIds.filter((id) => own.has(id))
  await tx.run(sql`
    update field_conversion
    set converted_to = ${last}, converted = converted + ${converted}, unfit = unfit + ${unfit.length},
      unfit_ids = (unfit_ids || ${unfit}::uuid[])[1:${rawSql(String(shownUnfitMax))}]
    where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  return false
}

type NextId = { record_id: string; root_id: string; is_concerned: boolean }

/** The ids after `after`, and the canonical record of each. Ids without a value and without facts need no conversion. */
function nextIds(tx: OrgTx, type: RecordType, key: string, after: string): Promise<NextId[]> {
  const { table, id } = namesOf(type)
  return tx.rows(sql<NextId>`
    select r.${id} as record_id, coalesce(r.merged_into_id, r.${id}) as root_id,
      r.status <> 'erased' and (r.facts is not null or r.custom -> ${key}::text is not null) as is_concerned
    from ${table} r where r.org_id = ${tx.orgId} and r.${id} > ${after} order by r.${id} limit ${idsPerStep}`)
}

type Conversion = {
  definition: FieldDefinition
  definitions: readonly StoredDefinition[]
  renames: Renames
}

async function convertRecords(
  tx: OrgTx,
  type: RecordType,
  records: readonly StoredRecord[],
  { definition, definitions, renames }: Conversion,
): Promise<{ converted: number; unfitIds: string[] }> {
  if (records.length === 0) return { converted: 0, unfitIds: [] }
  const { key } = definition
  const orgDefaults = { ...(await readOrgDefaults(tx, type, [])), definitions }
  const country = definition.type === 'phone' ? await defaultCountry(tx) : null
  const rewrite: Rewrite = {
    key,
    convert(value) {
      const after = convertedValue(definition, renames, value, country)
      return after instanceof Refusal ? value : after
    },
  }
  const updates = await mapInSlices(tx.payerId, records, (stored) => {
    const { cluster, recordId } = stored
    if (!cluster) {
      const custom = rewriteMember(customOf(stored.state), rewrite)
      const write = { recordId, fields: { custom }, orgDefaults, add: false }
      return { stored, state: { ...stored.state, custom }, write }
    }
    const members = [...cluster.members].map(([id, facts]) => [id, rewriteFacts(facts, rewrite)] as const)
    const write = { ...cluster, members: new Map(members) }
    return { stored, state: { ...stored.state, custom: viewOf(type, write).custom }, write }
  })
  const taken = await findTakenValues(
    tx,
    type,
    definitions,
    updates.map(({ stored: { recordId, status, state: before }, state }) => ({
      recordId,
      before: status === 'active' ? before : null,
      after: status === 'active' ? state : null,
    })),
  )
  const isUnfit = (value: unknown) => readValue(definition, value, country) instanceof Refusal
  const unfitIds = updates.flatMap(({ stored: { recordId }, state }, index) =>
    taken[index] || isUnfit(customOf(state)[key] ?? null) ? [recordId] : [],
  )
  const good = updates.filter((_, index) => !taken[index])
  const converted = good.filter(
    ({ stored, state }) => JSON.stringify(stored.state.custom) !== JSON.stringify(state.custom),
  ).length
  await rewriteChanges(
    tx,
    good.flatMap(({ stored: { recordId, cluster } }) => [...(cluster?.members.keys() ?? [recordId])]),
    rewrite,
  )
  await updateRecords(tx, type, good)
  return { converted, unfitIds }
}

const customOf = ({ custom }: StoredColumns): Readonly<Record<string, unknown>> =>
  (custom ?? {}) as Readonly<Record<string, unknown>>
