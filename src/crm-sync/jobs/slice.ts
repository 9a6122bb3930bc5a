import { hash } from 'node:crypto'
import type { Org } from '../../platform/db/org.ts'
import { type Adapter, BatchRefused, type Person, type RowOutcome } from '../adapters/adapter.ts'
import { fieldMapOf, mapPerson } from '../field-map.ts'
import { claimKeys, readLinks, type Target } from '../links.ts'
import { readPeople } from '../people.ts'
import type { RunningJob } from './life.ts'
import { type Settled, settleItems } from './settle.ts'

/** For so long a job has its turn, and batches that are under way after. */
const sliceMs = 1_000
const batchesAtOnce = 3
/** People that are looked at together. */
const chunkMost = 600

/** Somebody to be sent, for a contact of the job. */
type Outgoing = Person & {
  itemId: string
  /** The contact that they are now. */
  contactId: string
  hash: string
  /** A push before this one may have created them, and not have heard of it. */
  wasTried: boolean
}

/** Pushes for about a second. @returns true once there is nobody left to push, or it was canceled; throws as the adapter does */
export async function pushSlice(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + sliceMs
  do {
    signal.throwIfAborted()
    const outgoing = await prepare(org, job, adapter.batchSize)
    if (outgoing === null) return true
    await sendAll(org, adapter, job, outgoing, signal)
  } while (performance.now() < until)
  return false
}

/** The next people as they are to be sent; those that are not get their outcome. Null: there is nobody left. */
async function prepare(org: Org, job: RunningJob, batchSize: number): Promise<Outgoing[] | null> {
  const { orgId, jobId, kind, connection } = job
  const target = targetOf(job)
  const limit = Math.min(chunkMost, batchesAtOnce * Math.max(batchSize, 20))
  const map = fieldMapOf(connection.provider, kind, connection.field_map)
  const found = await org.read(async (tx) => {
    const items = await tx.rows<{ contact_id: string }>({
      text: `
        select i.contact_id from crm_job j join crm_job_item i on i.org_id = j.org_id and i.job_id = j.job_id
        where j.org_id = $1 and j.job_id = $2 and j.status = 'running' and not j.cancel_requested and i.outcome is null
        order by i.contact_id limit $3`,
      values: [orgId, jobId, limit],
    })
    const itemIds = items.map((item) => item.contact_id)
    const people = await readPeople(tx, orgId, itemIds)
    const roots = [...people.values()].map(({ person }) => person.contact_id)
    const merged = roots.filter((root) => !people.has(root))
    const [{ links, absorbed }, alsoAsked] = await Promise.all([
      readLinks(tx, target, roots),
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
  })
  const { itemIds, people, links, absorbed, asked } = found
  if (itemIds.length === 0) return null
  const settled: Settled[] = []
  const outgoing = new Map<string, Outgoing>()
  for (const itemId of itemIds) {
    const skip = (why: string) => settled.push({ itemId, outcome: 'skipped', externalId: null, error: why })
    const known = people.get(itemId)
    if (!known?.isPushable) {
      skip('Archived, erased, or without an e-mail address and a phone number by now')
      continue
    }
    const { person } = known
    const contactId = person.contact_id
    const isAskedItself = contactId !== itemId && (asked.has(contactId) || people.has(contactId))
    if (isAskedItself || outgoing.has(contactId)) {
      skip(`Merged into ${contactId}, which this job pushes as well`)
      continue
    }
    const link = links.get(contactId)
    const values = mapPerson(connection.provider, kind, map, person)
    const hashed = hash('sha256', JSON.stringify(values))
    const externalId = link?.externalId ?? null
    if (externalId !== null && link!.pushedHash === hashed) {
      settled.push({ itemId, outcome: 'unchanged', externalId, error: null })
      continue
    }
    const key = link?.key ?? contactId
    outgoing.set(contactId, {
      ...{ itemId, contactId, key, externalId, email: person.email, values },
      otherKeys: [contactId, ...(absorbed.get(contactId) ?? [])].filter((other) => other !== key),
      ...{ hash: hashed, wasTried: link !== undefined },
    })
  }
  const fresh = [...outgoing.values()].filter(({ wasTried }) => !wasTried).map(({ key }) => key)
  if (settled.length > 0 || fresh.length > 0) {
    await org.transact(async (tx) => {
      if (fresh.length > 0) await claimKeys(tx, target, fresh)
      if (settled.length > 0) await settleItems(tx, job, settled)
    })
  }
  return [...outgoing.values()]
}

const targetOf = ({ orgId, mode, kind, connection }: RunningJob): Target => ({
  ...{ orgId, mode, kind, connectionId: connection.connection_id },
})

/** Sends people in batches, some at once; the outcomes of each are stored before it counts as sent. */
async function sendAll(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  outgoing: readonly Outgoing[],
  signal: AbortSignal,
): Promise<void> {
  const { batchSize } = adapter
  const batches = Array.from({ length: Math.ceil(outgoing.length / batchSize) }, (_, index) =>
    outgoing.slice(index * batchSize, (index + 1) * batchSize),
  )
  let failed = false
  const work = async () => {
    for (let batch = batches.shift(); batch && !failed; batch = batches.shift()) {
      signal.throwIfAborted()
      const outcomes = await send(adapter, job, batch, signal)
      await org.transact((tx) =>
        settleItems(
          tx,
          job,
          batch.map((person, index) => settledOf(person, outcomes[index]!)),
        ),
      )
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: batchesAtOnce }, () =>
      work().catch((error) => {
        failed = true
        throw error
      }),
    ),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Sends a batch; one that is refused as a whole in halves, until it is clear whose fault it is. */
async function send(
  adapter: Adapter,
  job: RunningJob,
  batch: readonly Outgoing[],
  signal: AbortSignal,
): Promise<RowOutcome[]> {
  try {
    return await adapter.upsert(job.kind, batch, signal)
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error
    if (batch.length === 1) return [{ outcome: 'failed', message: error.message }]
    const middle = Math.ceil(batch.length / 2)
    const first = await send(adapter, job, batch.slice(0, middle), signal)
    return [...first, ...(await send(adapter, job, batch.slice(middle), signal))]
  }
}

/** One that was tried before, and whose id nobody heard of, was created by that try. */
function settledOf(
  { itemId, contactId, key, hash, externalId, wasTried }: Outgoing,
  row: RowOutcome,
): Settled {
  if (row.outcome === 'failed') return { itemId, outcome: 'failed', externalId, error: row.message }
  const outcome = externalId === null && wasTried ? 'created' : externalId !== null ? 'updated' : row.outcome
  return {
    ...{ itemId, outcome, externalId: row.externalId, error: null },
    pushed: { contactId, key, hash },
  }
}
