import { hash } from 'node:crypto'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { minUuid } from '../../records/min-uuid.ts'
import type { CrmPerson } from '../adapters/adapter.ts'
import { fieldMapOf, mapPerson } from '../field-map.ts'
import { type ExternalLink, markSending, readLinks } from '../links.ts'
import { type PushedPerson, readPeople } from '../people.ts'
import type { ItemError } from '../schema.ts'
import { type RunningJob, targetOf } from './job-state.ts'
import { type ItemResult, saveResults } from './results.ts'

/** A person to send, for one contact of the job. */
export type PersonToPush = CrmPerson & {
  itemId: string
  /** The canonical contact. */
  contactId: string
  /** The hash of the sent values. */
  hash: string
  /** Whether an earlier push sent the person and got no answer. */
  wasTried: boolean
  /** Whether the external link already says that the person is being sent. */
  isMarkedSending: boolean
  /** Whether the CRM has already refused the person as a duplicate once, so that this try is the last one. */
  isLastTry: boolean
}

export type NextPeople = {
  outgoing: PersonToPush[]
  /** The id of the last contact that was read. */
  last: string
  /** Whether some contacts must wait for a later turn. */
  mustContinue: boolean
}

/**
 * `underWay`: the people who are being sent now. `isLastTry`: read only people whom the CRM refused as duplicates.
 */
type Wanted = { after: string | null; limit: number; underWay: readonly PersonToPush[]; isLastTry: boolean }

/** Reads the next people to send, and stores the results of those who need no sending. null: nobody is left. */
export async function nextPeople(org: Org, job: RunningJob, wanted: Wanted): Promise<NextPeople | null> {
  const found = await org.read((tx) => readNext(tx, job, wanted))
  const last = found.itemIds.at(-1)
  if (last === undefined) return null
  const { outgoing, results, mustContinue } = divide(job, found, wanted)
  const toNote = outgoing.filter(({ isMarkedSending }) => !isMarkedSending).map(({ key }) => key)
  if (results.length > 0 || toNote.length > 0) {
    await org.transact(async (tx) => {
      if (toNote.length > 0) await markSending(tx, targetOf(job), toNote)
      if (results.length > 0) await saveResults(tx, job, results)
    })
  }
  return { outgoing, last, mustContinue }
}

type Found = {
  /** Reads the contacts of the job that have no outcome yet, in id order. */
  itemIds: string[]
  /** The canonical contact of each of these contacts. */
  people: Map<string, PushedPerson>
  /** The external link of each canonical contact. */
  links: Map<string, ExternalLink>
  absorbed: Map<string, string[]>
  /** The canonical contacts that have an item of their own in the job, without an outcome. */
  asked: Set<string>
}

type ItemRow = Columns<'crm_job_item', 'contact_id'>

async function readNext(tx: OrgTx, job: RunningJob, { after, limit, isLastTry }: Wanted): Promise<Found> {
  const { orgId } = tx
  const { jobId } = job
  const items = await tx.rows(sql<ItemRow>`
    select contact_id from crm_job_item
    where org_id = ${orgId} and job_id = ${jobId} and outcome is null
      and error is ${isLastTry ? sql`not null` : sql`null`} and contact_id > ${after ?? minUuid}
      and (
        select status = 'running' and not cancel_requested from crm_job
        where org_id = ${orgId} and job_id = ${jobId}
      )
    order by contact_id limit ${limit}`)
  const itemIds = items.map((item) => item.contact_id)
  const people = await readPeople(tx, itemIds)
  const canonicalIds = [...people.values()].map(({ person }) => person.contact_id)
  const merged = canonicalIds.filter((id) => !people.has(id))
  const [{ links, absorbed }, alsoAsked] = await Promise.all([
    readLinks(tx, targetOf(job), canonicalIds),
    merged.length === 0
      ? []
      : tx.rows(sql<ItemRow>`
          select contact_id from crm_job_item
          where org_id = ${orgId} and job_id = ${jobId} and outcome is null
            and contact_id = any (${merged}::uuid[])`),
  ])
  return { itemIds, people, links, absorbed, asked: new Set(alsoAsked.map((item) => item.contact_id)) }
}

/** Divides contacts: people to send, contacts with a result, and contacts that wait. */
function divide(
  { kind, mode, connection, resendsUnchanged }: RunningJob,
  { itemIds, people, links, absorbed, asked }: Found,
  { underWay, isLastTry }: Wanted,
): { outgoing: PersonToPush[]; results: ItemResult[]; mustContinue: boolean } {
  const { provider } = connection
  const map = fieldMapOf(provider, kind, connection.field_map)
  const system = `${connection.system}_${kind}`
  const busy = new Set(underWay.flatMap(({ contactId, key }) => [contactId, key]))
  const results: ItemResult[] = []
  const outgoing = new Map<string, PersonToPush>()
  let mustContinue = false
  for (const itemId of itemIds) {
    const skip = (code: ItemError['code'], message: string) =>
      results.push({ itemId, outcome: 'skipped', externalId: null, error: { code, message } })
    const known = people.get(itemId)
    const link = known && links.get(known.person.contact_id)
    const isReachable = known?.person.email != null || known?.person.phone != null
    if (!known?.isActive || !(isReachable || link?.externalId)) {
      skip('not_reachable', 'The contact is archived or erased, or has no e-mail address and no phone number')
      continue
    }
    const { person, externalIds } = known
    const contactId = person.contact_id
    const key = link?.key ?? contactId
    if (busy.has(contactId) || busy.has(key)) {
      mustContinue = true
      continue
    }
    const isAskedItself = contactId !== itemId && (asked.has(contactId) || people.has(contactId))
    if (isAskedItself || outgoing.has(contactId)) {
      skip('merged', `Merged into ${contactId}, which this job also pushes`)
      continue
    }
    const values = mapPerson(provider, kind, map, person)
    const hashed = hash('sha256', JSON.stringify(values))
    const externalId = link?.externalId ?? null
    if (externalId !== null && link?.pushedHash === hashed && !resendsUnchanged) {
      // A merge or an undo may have removed this id from the contact's `external_ids`.
      const isShown = mode !== 'live' || externalIds[system] === externalId
      results.push({
        itemId,
        outcome: 'unchanged',
        externalId,
        error: null,
        ...(isShown ? {} : { contactId }),
      })
      continue
    }
    outgoing.set(contactId, {
      ...{ itemId, contactId, key, externalId, email: person.email, values },
      otherKeys: [contactId, ...(absorbed.get(contactId) ?? [])].filter((other) => other !== key),
      ...{
        hash: hashed,
        wasTried: link !== undefined,
        isMarkedSending: link?.pushedHash === null,
        isLastTry,
      },
    })
  }
  return { outgoing: [...outgoing.values()], results, mustContinue }
}
