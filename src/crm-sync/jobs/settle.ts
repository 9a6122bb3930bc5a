import { contacts } from '../../contacts/contacts.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { lockRecords } from '../../records/lock.ts'
import { updateRecords } from '../../records/write.ts'
import { eraseLate } from '../erasure.ts'
import { keepLinks } from '../links.ts'
import { type ItemError, type Outcome, outcomes } from '../schema.ts'
import { type RunningJob, targetOf } from './life.ts'

/** What became of a contact of a job. */
export type Settled = {
  itemId: string
  /** null: not yet, as they are tried once more. */
  outcome: Outcome | null
  externalId: string | null
  error: ItemError | null
  /** Who is to say that the CRM knows them as `externalId`; not there if nobody is. */
  contactId?: string
  /** What was pushed; not there if nothing was. */
  pushed?: { key: string; hash: string }
}

/**
 * Writes down what became of contacts: in the job, for the next push, and in the contacts themselves. False: the job is
 * not to go on.
 */
export async function settleItems(tx: OrgTx, job: RunningJob, settled: readonly Settled[]): Promise<boolean> {
  const { orgId, jobId, mode } = job
  const pushed = settled.flatMap(({ pushed, externalId }) =>
    pushed && externalId !== null ? [{ ...pushed, externalId }] : [],
  )
  const named = settled.flatMap(({ contactId, externalId }) =>
    contactId !== undefined && externalId !== null ? [{ contactId, externalId }] : [],
  )
  const [written] = await Promise.all([
    tx.rows<{ outcome: Outcome | null }>({
      // By name out of one object: a join with what arrays hold compares each with each.
      text: `
        update crm_job_item set outcome = $4::jsonb -> contact_id::text ->> 0,
          external_id = $4::jsonb -> contact_id::text ->> 1, error = nullif($4::jsonb -> contact_id::text -> 2, 'null')::json
        where org_id = $1 and job_id = $2 and contact_id = ${anyOf('$3')} and outcome is null
        returning outcome`,
      values: [
        ...[orgId, jobId, settled.map(({ itemId }) => itemId)],
        JSON.stringify(
          Object.fromEntries(
            settled.map(({ itemId, outcome, externalId, error }) => [itemId, [outcome, externalId, error]]),
          ),
        ),
      ],
    }),
    pushed.length > 0 && keepLinks(tx, targetOf(job), pushed),
  ])
  if (mode === 'live' && named.length > 0) await keepExternalIds(tx, job, named)
  const sent = settled.flatMap(({ itemId, pushed }) => (pushed ? [itemId, pushed.key] : [itemId]))
  await eraseLate(tx, [...new Set(sent)])
  // Last, as other batches of the job wait for its row from here on.
  const ended = written.filter((row) => row.outcome !== null)
  const count = (outcome: Outcome) => written.filter((row) => row.outcome === outcome).length
  const updated = await tx.first<{ goes_on: boolean }>({
    text: `
      update crm_job set processed = processed + $3, created = created + $4, updated = updated + $5,
        unchanged = unchanged + $6, skipped = skipped + $7, failed = failed + $8,
        tries = 0, error = case when status <> 'running' then error end
      where org_id = $1 and job_id = $2 returning status = 'running' and not cancel_requested as goes_on`,
    values: [orgId, jobId, ended.length, ...outcomes.map(count)],
  })
  return updated!.goes_on
}

const orgDefaults = { defaultCountry: null }

/** Contacts say in `external_ids` as whom the CRM knows them. */
async function keepExternalIds(
  tx: OrgTx,
  { orgId, mode, kind, apiKeyId, connection }: RunningJob,
  named: readonly { contactId: string; externalId: string }[],
): Promise<void> {
  const system = `${connection.system}_${kind}`
  const idOf = new Map(named.map(({ contactId, externalId }) => [contactId, externalId]))
  const stored = await lockRecords(tx, contacts, [...idOf.keys()])
  const updates = stored
    .filter(({ status, recordId, state }) => {
      const ids = state.external_ids as Record<string, string>
      return status === 'active' && ids[system] !== idOf.get(recordId)
    })
    .map((record) => {
      const { recordId, state } = record
      const ids = { [system]: idOf.get(recordId)! }
      const said = { recordId, fields: { external_ids: ids }, orgDefaults, add: true }
      // As `contacts.apply` has it, which would look at all that stays.
      const after = { ...state, external_ids: { ...(state.external_ids as object), ...ids } }
      return { stored: record, state: after, said }
    })
  // What a CRM calls them says little of who is a duplicate, and there may be a million of them.
  const options = { skipDuplicateCheck: true }
  // The events name the job's API key.
  const author = new OrgTx(tx, { orgId, mode, apiKeyId })
  if (updates.length > 0) await updateRecords(author, contacts, updates, options)
}
