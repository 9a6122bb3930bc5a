import { contacts } from '../../contacts/contacts.ts'
import type { Org } from '../../platform/db/org.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { lockRecords } from '../../records/lock.ts'
import { updateRecords } from '../../records/write.ts'
import { eraseErasedDuringPush } from '../erasure.ts'
import { saveLinks } from '../links.ts'
import { type ItemError, itemOutcomes, type Outcome } from '../schema.ts'
import { actorOf, type RunningJob, targetOf } from './job-state.ts'

/** The result of a push for one contact of its job. */
export type ItemResult = {
  itemId: string
  /** null: no outcome yet; the push will try the contact again. */
  outcome: Outcome | null
  externalId: string | null
  error: ItemError | null
  /** The contact that gets `externalId` in its `external_ids`; missing: none. */
  contactId?: string
  /** The sent values; missing: nothing was sent. */
  pushed?: { key: string; hash: string }
}

/** Stores results. All results that wait are stored in one transaction. */
export class ResultWriter {
  readonly #org: Org
  readonly #job: RunningJob
  readonly #waiting: ItemResult[] = []
  #storing: Promise<void> | null = null
  #continues = true

  constructor(org: Org, job: RunningJob) {
    this.#org = org
    this.#job = job
  }

  /** false after the job was canceled, or if results could not be stored. */
  get continues(): boolean {
    return this.#continues
  }

  add(results: readonly ItemResult[]): void {
    this.#waiting.push(...results)
    if (this.#storing || results.length === 0) return
    this.#storing = this.#store()
    // The next call of `stored` reports the error.
    this.#storing.catch(() => {})
  }

  /**
   * Returns when all added results are stored.
   * @throws the error that prevented it
   */
  async stored(): Promise<void> {
    await this.#storing
  }

  async #store(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const results = this.#waiting.splice(0)
        const continues = await this.#org.transact((tx) => saveResults(tx, this.#job, results))
        this.#continues &&= continues
      }
      this.#storing = null
    } catch (error) {
      this.#continues = false
      throw error
    }
  }
}

/**
 * Stores the items and counts of the job, the external links, and `external_ids` of the contacts.
 * @returns false if the job must stop
 */
export async function saveResults(
  tx: OrgTx,
  job: RunningJob,
  results: readonly ItemResult[],
): Promise<boolean> {
  const pushed = results.flatMap(({ pushed, externalId }) =>
    pushed && externalId !== null ? [{ ...pushed, externalId }] : [],
  )
  const named = new Map<string, string>()
  for (const { contactId, externalId } of results)
    if (contactId !== undefined && externalId !== null) named.set(contactId, externalId)
  const [written] = await Promise.all([
    saveItems(tx, job, results),
    pushed.length > 0 && saveLinks(tx, targetOf(job), pushed),
  ])
  if (job.mode === 'live' && named.size > 0) await saveExternalIds(tx, job, named)
  const sent = results.flatMap(({ itemId, pushed }) => (pushed ? [itemId, pushed.key] : [itemId]))
  await eraseErasedDuringPush(tx, [...new Set(sent)])
  return addToCounts(tx, job, written)
}

/** Stores the results of items that have no outcome. Returns the outcomes that were written. */
async function saveItems(
  tx: OrgTx,
  { jobId }: RunningJob,
  results: readonly ItemResult[],
): Promise<(Outcome | null)[]> {
  // Look up values by name in a JSON object: a join with arrays would compare each row with each value.
  const values = JSON.stringify(
    Object.fromEntries(
      results.map(({ itemId, outcome, externalId, error }) => [itemId, [outcome, externalId, error]]),
    ),
  )
  const rows = await tx.rows(sql<{ outcome: Outcome | null }>`
    update crm_job_item set outcome = given.results -> contact_id::text ->> 0,
      external_id = given.results -> contact_id::text ->> 1,
      error = nullif(given.results -> contact_id::text -> 2, 'null')::json
    from (select ${values}::jsonb as results) given
    where org_id = ${tx.orgId} and job_id = ${jobId} and outcome is null
      and contact_id = any((select ${results.map(({ itemId }) => itemId)}::uuid[])::uuid[])
    returning outcome`)
  return rows.map(({ outcome }) => outcome)
}

/**
 * Run this statement last: it locks the job's row, on which other batches of the job wait.
 * @returns false if the job must stop
 */
async function addToCounts(
  tx: OrgTx,
  { jobId }: RunningJob,
  written: readonly (Outcome | null)[],
): Promise<boolean> {
  const ended = written.filter((outcome) => outcome !== null).length
  const [created, updated, unchanged, skipped, failed] = itemOutcomes.map(
    (outcome) => written.filter((each) => each === outcome).length,
  )
  const job = await tx.first(sql<{ continues: boolean }>`
    update crm_job set processed = processed + ${ended}, created = created + ${created},
      updated = updated + ${updated}, unchanged = unchanged + ${unchanged}, skipped = skipped + ${skipped},
      failed = failed + ${failed}, tries = 0, error = case when status <> 'running' then error end
    where org_id = ${tx.orgId} and job_id = ${jobId}
    returning status = 'running' and not cancel_requested as continues`)
  return job?.continues ?? false
}

const orgDefaults = { defaultCountry: null }

/** Stores the ids by which the CRM knows contacts in their `external_ids`. */
async function saveExternalIds(
  tx: OrgTx,
  job: RunningJob,
  externalIds: ReadonlyMap<string, string>,
): Promise<void> {
  const system = `${job.connection.system}_${job.kind}`
  const stored = await lockRecords(tx, contacts, [...externalIds.keys()])
  const updates = stored.flatMap((record) => {
    const { recordId, state, status } = record
    const before = state.external_ids as Record<string, string>
    const externalId = externalIds.get(recordId)
    if (status !== 'active' || externalId === undefined || before[system] === externalId) return []
    const ids = { [system]: externalId }
    const write = { recordId, fields: { external_ids: ids }, orgDefaults, add: true }
    // `contacts.apply` would give the same result, but check all other fields too.
    return [{ stored: record, state: { ...state, external_ids: { ...before, ...ids } }, write }]
  })
  // Skip the check for duplicates: external ids are weak evidence, and a push can write a million of them.
  const options = { skipDuplicateCheck: true }
  // The events name the API key of the job.
  const author = new OrgTx(tx, actorOf(tx, job))
  if (updates.length > 0) await updateRecords(author, contacts, updates, options)
}
