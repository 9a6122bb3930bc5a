import { contacts } from '../../contacts/contacts.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { lockRecords } from '../../records/lock.ts'
import { updateRecords } from '../../records/write.ts'
import { keepLinks } from '../links.ts'
import { type Outcome, outcomes } from '../schema.ts'
import type { RunningJob } from './life.ts'

/** What became of a contact of a job. */
export type Settled = {
  itemId: string
  outcome: Outcome
  externalId: string | null
  error: string | null
  /** What was pushed, and for whom; not there if nothing was. */
  pushed?: { contactId: string; key: string; hash: string }
}

/** Writes down what became of contacts: in the job, for the next push, and in the contacts themselves. */
export async function settleItems(tx: Tx, job: RunningJob, settled: readonly Settled[]): Promise<void> {
  const { orgId, jobId, mode, kind, connection } = job
  const target = { orgId, connectionId: connection.connection_id, mode, kind }
  const pushed = settled.flatMap(({ pushed, externalId }) =>
    pushed && externalId !== null ? [{ ...pushed, externalId }] : [],
  )
  const [written] = await Promise.all([
    tx.rows<{ outcome: Outcome }>({
      // By name out of one object: a join with what arrays hold compares each with each.
      text: `
        update crm_job_item set outcome = $4::jsonb -> contact_id::text ->> 0,
          external_id = $4::jsonb -> contact_id::text ->> 1, error = $4::jsonb -> contact_id::text ->> 2
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
    pushed.length > 0 && keepLinks(tx, target, pushed),
  ])
  if (mode === 'live' && pushed.length > 0) await keepExternalIds(tx, job, pushed)
  // Last, as other batches of the job wait for its row from here on.
  const count = (outcome: Outcome) => written.filter((row) => row.outcome === outcome).length
  await tx.run({
    text: `
      update crm_job set processed = processed + $3, created = created + $4, updated = updated + $5,
        unchanged = unchanged + $6, skipped = skipped + $7, failed = failed + $8,
        tries = 0, error = case when status <> 'running' then error end
      where org_id = $1 and job_id = $2`,
    values: [orgId, jobId, written.length, ...outcomes.map(count)],
  })
}

const surroundings = { defaultCountry: null }

/** Contacts say in `external_ids` as whom the CRM knows them. */
async function keepExternalIds(
  tx: Tx,
  { orgId, mode, kind, apiKeyId, connection }: RunningJob,
  pushed: readonly { contactId: string; externalId: string }[],
): Promise<void> {
  const system = `${connection.system}_${kind}`
  const idOf = new Map(pushed.map(({ contactId, externalId }) => [contactId, externalId]))
  const stored = await lockRecords(tx, orgId, contacts, [...idOf.keys()])
  const updates = stored
    .filter(({ status, recordId, state }) => {
      const ids = state.external_ids as Record<string, string>
      return status === 'active' && ids[system] !== idOf.get(recordId)
    })
    .map((record) => {
      const { recordId, state } = record
      const fields = { external_ids: { [system]: idOf.get(recordId)! } }
      const said = { recordId, fields, surroundings, add: true }
      return { stored: record, state: contacts.apply(state, fields, surroundings, true), said }
    })
  // What a CRM calls them says little of who is a duplicate, and there may be a million of them.
  const options = { laterChecked: true }
  if (updates.length > 0) await updateRecords(tx, { orgId, mode, apiKeyId }, contacts, updates, options)
}
