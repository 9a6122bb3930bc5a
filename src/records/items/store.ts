import type { OrgTx } from '../../platform/db/org-tx.ts'
import { lockDefinitionsShared } from '../defined-fields/definition.ts'
import { findTakenValues, type ValueWrite } from '../defined-fields/unique-values.ts'
import { insertRecords } from '../insert.ts'
import { foundByName } from '../named-references.ts'
import type { OrgDefaults, RecordType, StoredRecord } from '../record-type.ts'
import { namesReference, resolveReferences } from '../references.ts'
import { setArchived, updateRecords } from '../write.ts'
import { isAdditive, namedIdOf } from './draft.ts'
import type { Draft, Failed, Snapshot, Written } from './item.ts'

/** No two drafts may have the same record. */
export async function storeDrafts(
  tx: OrgTx,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
  orgDefaults: OrgDefaults,
  importId: string | null,
): Promise<(Written | Failed)[]> {
  const named = await refuseBadReferences(tx, type, drafts)
  const checked = await refuseTakenValues(tx, type, named, orgDefaults)
  const good = checked.filter((each) => each.outcome === null)
  const created = good.flatMap(({ stored, state }) => (stored ? [] : [state]))
  const updates = new Map(
    good.flatMap((each) => {
      const { stored, state, fields, target, action } = each
      if (!stored || action !== 'change') return []
      const write = { recordId: namedIdOf(type, stored, target), fields, orgDefaults, add: isAdditive(each) }
      return [[stored, { stored, state, write, before: snapshotOf(stored) }]]
    }),
  )
  const moved = (wanted: Draft['action']) =>
    good.flatMap(({ stored, action }) => (stored && action === wanted ? [stored] : []))
  const [ids] = await Promise.all([
    created.length > 0 ? insertRecords(tx, type, created, importId) : [],
    updateRecords(tx, type, [...updates.values()]),
    setArchived(tx, type, moved('archive'), true),
    setArchived(tx, type, moved('restore'), false),
  ])
  const newIds = ids.values()
  return checked.map((each) => {
    if (each.outcome === 'failed') return each
    const { stored, action } = each
    if (!stored) {
      const recordId = newIds.next().value
      if (recordId === undefined) throw new Error('A created record has no id')
      return { outcome: 'created', recordId, version: 1 }
    }
    const { recordId, version } = stored
    const update = updates.get(stored)
    if (!update) return { outcome: action === 'archive' ? 'archived' : 'restored', recordId, version }
    const { write, before } = update
    return {
      outcome: 'updated',
      recordId,
      version,
      namedId: write.recordId,
      before,
      after: snapshotOf(stored),
    }
  })
}

const snapshotOf = ({ state, cluster }: StoredRecord): Snapshot => ({ state, cluster })

async function refuseBadReferences(
  tx: OrgTx,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
): Promise<(Draft | Failed)[]> {
  const naming = drafts.filter((each) => each.outcome === null && namesReference(type, each.fields))
  const states = naming.map((each) => (each as Draft).state)
  const earlier = naming.map((each) => {
    const { fields, state, stored } = each as Draft
    return foundByName(type, fields, state) ?? stored?.state ?? null
  })
  const problems = await resolveReferences(tx, type, states, earlier)
  const errors = new Map(naming.map((each, index) => [each, problems[index]]))
  return drafts.map((each) => {
    const error = errors.get(each)
    return error ? { outcome: 'failed', error } : each
  })
}

async function refuseTakenValues(
  tx: OrgTx,
  type: RecordType,
  drafts: readonly (Draft | Failed)[],
  { definitions = [] }: OrgDefaults,
): Promise<(Draft | Failed)[]> {
  const restores = drafts.some((each) => each.outcome === null && each.action === 'restore')
  const known = restores ? await lockDefinitionsShared(tx, type.entity) : definitions
  const writes = drafts.map((each): ValueWrite => {
    if (each.outcome === 'failed') return { recordId: null, before: null, after: null }
    const { stored, state, action } = each
    return {
      recordId: stored?.recordId ?? null,
      before: stored?.status === 'active' ? stored.state : null,
      after: action === 'archive' ? null : state,
    }
  })
  const errors = await findTakenValues(tx, type, known, writes)
  return drafts.map((each, index) => {
    const error = errors[index]
    return error ? { outcome: 'failed', error } : each
  })
}
