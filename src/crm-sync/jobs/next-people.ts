import { hash } from 'node:crypto'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { minUuid } from '../../records/min-uuid.ts'
import type { Person } from '../adapters/adapter.ts'
import { fieldMapOf, mapPerson } from '../field-map.ts'
import { claimKeys, type Link, readLinks } from '../links.ts'
import { type PushedPerson, readPeople } from '../people.ts'
import type { ItemError } from '../schema.ts'
import { type RunningJob, targetOf } from './life.ts'
import { type Settled, settleItems } from './settle.ts'

/** Somebody to be sent, for a contact of the job. */
export type Outgoing = Person & {
  itemId: string
  /** The contact that they are now. */
  contactId: string
  hash: string
  /** A push before this one may have created them, and not have heard of it. */
  wasTried: boolean
  /** It is noted already that they are sent. */
  isClaimed: boolean
  /** They were refused as duplicates before. */
  isLastTry: boolean
}

/** The next people of a job. */
export type NextPeople = {
  outgoing: Outgoing[]
  /** The contact with which they end. */
  last: string
  /** Some of them were left for another turn. */
  leavesSome: boolean
}

/** Where to begin, how many to look at, who is being sent meanwhile, and whether it is those who were refused as duplicates. */
type Following = { after: string | null; limit: number; underWay: readonly Outgoing[]; isLastTry: boolean }

/** The next people as they are to be sent; those that are not get their outcome. Null: there is nobody left. */
export async function nextPeople(
  org: Org,
  job: RunningJob,
  following: Following,
): Promise<NextPeople | null> {
  const found = await org.read((tx) => readNext(tx, job, following))
  const last = found.itemIds.at(-1)
  if (last === undefined) return null
  const { outgoing, settled, leavesSome } = sortOut(job, found, following)
  const unclaimed = outgoing.filter(({ isClaimed }) => !isClaimed).map(({ key }) => key)
  if (settled.length > 0 || unclaimed.length > 0) {
    await org.transact(async (tx) => {
      if (unclaimed.length > 0) await claimKeys(tx, targetOf(job), unclaimed)
      if (settled.length > 0) await settleItems(tx, job, settled)
    })
  }
  return { outgoing, last, leavesSome }
}

type Found = {
  /** Contacts of the job without an outcome, in its order. */
  itemIds: string[]
  /** Who they are, by contact. */
  people: Map<string, PushedPerson>
  /** As whom the CRM knows those. */
  links: Map<string, Link>
  absorbed: Map<string, string[]>
  /** Those into whom somebody was merged, and whom the job will come to. */
  asked: Set<string>
}

async function readNext(tx: OrgTx, job: RunningJob, { after, limit, isLastTry }: Following): Promise<Found> {
  const { orgId, jobId } = job
  const items = await tx.rows<{ contact_id: string }>({
    text: `
      select contact_id from crm_job_item
      where org_id = $1 and job_id = $2 and outcome is null and error is ${isLastTry ? 'not ' : ''}null and contact_id > $3
        and (select status = 'running' and not cancel_requested from crm_job where org_id = $1 and job_id = $2)
      order by contact_id limit $4`,
    values: [orgId, jobId, after ?? minUuid, limit],
  })
  const itemIds = items.map((item) => item.contact_id)
  const people = await readPeople(tx, orgId, itemIds)
  const roots = [...people.values()].map(({ person }) => person.contact_id)
  const merged = roots.filter((root) => !people.has(root))
  const [{ links, absorbed }, alsoAsked] = await Promise.all([
    readLinks(tx, targetOf(job), roots),
    merged.length === 0
      ? []
      : tx.rows<{ contact_id: string }>({
          text: `
            select contact_id from crm_job_item
            where org_id = $1 and job_id = $2 and outcome is null and contact_id = any ($3::uuid[])`,
          values: [orgId, jobId, merged],
        }),
  ])
  return { itemIds, people, links, absorbed, asked: new Set(alsoAsked.map((item) => item.contact_id)) }
}

/** Who is sent, and as what; and what becomes of those who are not. */
function sortOut(
  { kind, mode, connection, resendsUnchanged }: RunningJob,
  { itemIds, people, links, absorbed, asked }: Found,
  { underWay, isLastTry }: Following,
): { outgoing: Outgoing[]; settled: Settled[]; leavesSome: boolean } {
  const { provider } = connection
  const map = fieldMapOf(provider, kind, connection.field_map)
  const system = `${connection.system}_${kind}`
  const busy = new Set(underWay.flatMap(({ contactId, key }) => [contactId, key]))
  const settled: Settled[] = []
  const outgoing = new Map<string, Outgoing>()
  let leavesSome = false
  for (const itemId of itemIds) {
    const skip = (code: ItemError['code'], message: string) =>
      settled.push({ itemId, outcome: 'skipped', externalId: null, error: { code, message } })
    const known = people.get(itemId)
    const link = known && links.get(known.person.contact_id)
    const isReachable = known?.person.email != null || known?.person.phone != null
    if (!known?.isActive || !(isReachable || link?.externalId)) {
      skip('not_reachable', 'Archived, erased, or without an e-mail address and a phone number by now')
      continue
    }
    const { person, externalIds } = known
    const contactId = person.contact_id
    const key = link?.key ?? contactId
    // Merged with somebody who is being sent: what comes of that decides.
    if (busy.has(contactId) || busy.has(key)) {
      leavesSome = true
      continue
    }
    const isAskedItself = contactId !== itemId && (asked.has(contactId) || people.has(contactId))
    if (isAskedItself || outgoing.has(contactId)) {
      skip('merged', `Merged into ${contactId}, which this job pushes as well`)
      continue
    }
    const values = mapPerson(provider, kind, map, person)
    const hashed = hash('sha256', JSON.stringify(values))
    const externalId = link?.externalId ?? null
    if (externalId !== null && link!.pushedHash === hashed && !resendsUnchanged) {
      // Who was merged or came apart since does not say so yet.
      const says = mode !== 'live' || externalIds[system] === externalId
      settled.push({ itemId, outcome: 'unchanged', externalId, error: null, ...(says ? {} : { contactId }) })
      continue
    }
    outgoing.set(contactId, {
      ...{ itemId, contactId, key, externalId, email: person.email, values },
      otherKeys: [contactId, ...(absorbed.get(contactId) ?? [])].filter((other) => other !== key),
      ...{ hash: hashed, wasTried: link !== undefined, isClaimed: link?.pushedHash === null, isLastTry },
    })
  }
  return { outgoing: [...outgoing.values()], settled, leavesSome }
}
