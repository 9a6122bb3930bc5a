import { contacts } from '../../contacts/contacts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { lockRecords } from '../../records/lock.ts'
import { updateRecords } from '../../records/write.ts'
import { keepLinks } from '../links.ts'
import type { Outcome } from '../schema.ts'
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
  await Promise.all([
    tx.run({
      text: `
        with settled as (
          update crm_job_item i set outcome = s.outcome, external_id = s.external_id, error = s.error
          from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as s (contact_id, outcome, external_id, error)
          where i.org_id = $1 and i.job_id = $2 and i.contact_id = s.contact_id and i.outcome is null
          returning i.outcome
        ), counted as (
          select count(*) as processed, count(*) filter (where outcome = 'created') as created,
            count(*) filter (where outcome = 'updated') as updated,
            count(*) filter (where outcome = 'unchanged') as unchanged,
            count(*) filter (where outcome = 'skipped') as skipped,
            count(*) filter (where outcome = 'failed') as failed
          from settled
        )
        update crm_job j set processed = j.processed + c.processed, created = j.created + c.created,
          updated = j.updated + c.updated, unchanged = j.unchanged + c.unchanged, skipped = j.skipped + c.skipped,
          failed = j.failed + c.failed, tries = 0, error = null
        from counted c where j.org_id = $1 and j.job_id = $2 and j.status = 'running'`,
      values: [
        ...[orgId, jobId, settled.map(({ itemId }) => itemId), settled.map(({ outcome }) => outcome)],
        ...[settled.map(({ externalId }) => externalId), settled.map(({ error }) => error)],
      ],
    }),
    pushed.length > 0 && keepLinks(tx, target, pushed),
  ])
  if (mode === 'live' && pushed.length > 0) await keepExternalIds(tx, job, pushed)
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
  if (updates.length > 0) await updateRecords(tx, { orgId, mode, apiKeyId }, contacts, updates)
}
