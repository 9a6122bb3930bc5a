import { endpoints } from './api.ts'
import { companies } from './companies/companies.ts'
import { contacts } from './contacts/contacts.ts'
import { deals } from './deals/deals.ts'
import type { Caller } from './platform/caller.ts'
import type { Context } from './platform/context.ts'
import type { Org } from './platform/db/org.ts'
import { DomainError, isNotFound } from './platform/domain-error.ts'
import { effectWithoutKey } from './platform/http/effect-transactions.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import { resultOf } from './platform/http/response.ts'
import { ValidationError } from './platform/http/validation.ts'
import { Json } from './platform/json.ts'
import type { ReadMembers, ReadObject, ReadObjects } from './platform/objects.ts'
import { readByIds } from './records/read-many.ts'
import type { RecordType } from './records/record-type.ts'
import { membersAmong } from './records/segments/members.ts'
import { mailboxIdOf } from './signatures/mailboxes/mailboxes.ts'

const recordTypes: Readonly<Record<string, RecordType>> = {
  contact: contacts,
  company: companies,
  deal: deals,
}

const readers = new Map(
  endpoints.filter(({ method }) => method === 'GET').map((endpoint) => [endpoint.name, endpoint]),
)

/** Reads the objects of events: records in batches, all others through their GET endpoint. */
export function objectReader(context: () => Context): ReadObjects {
  return async (org, object, objectIds) => {
    const type = recordTypes[object]
    if (type) return readRecords(org, type, objectIds)
    const endpoint = readers.get(`get_${object}`)
    if (!endpoint) return new Map()
    const found = new Map<string, ReadObject>()
    for (const objectId of objectIds) {
      const json = await readThrough(endpoint, context(), org, objectId)
      if (json !== null) found.set(objectId, { json, mergedInto: null })
    }
    return found
  }
}

/** Reads which records are in a segment. */
export const readMembers: ReadMembers = async (org, segmentId, entity, recordIds) => {
  const type = recordTypes[entity]
  if (!type) throw new Error(`There is no record type ${entity}`)
  try {
    return await membersAmong(org, type, segmentId, recordIds)
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}

async function readRecords(
  org: Org,
  type: RecordType,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, ReadObject>> {
  const result = await readByIds(org, type, recordIds).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'too_large' && recordIds.length > 1) return null
    throw error
  })
  if (result === null) {
    const half = recordIds.length >> 1
    const [first, second] = [recordIds.slice(0, half), recordIds.slice(half)]
    return new Map([...(await readRecords(org, type, first)), ...(await readRecords(org, type, second))])
  }
  const found = new Map<string, ReadObject>()
  for (const recordId of recordIds) {
    const { status, record } = result(recordId)
    if (record === null) continue
    const mergedInto = status === 'merged' ? idIn(record) : null
    found.set(recordId, { json: record, mergedInto })
  }
  return found
}

/** The id is the first member of a record. */
const idIn = (record: string) => /^\{"\w+":"([^"]+)"/.exec(record)?.[1] ?? null

/** Reads an object through its GET endpoint; null if it does not exist. */
async function readThrough(
  endpoint: Endpoint,
  context: Context,
  org: Org,
  objectId: string,
): Promise<string | null> {
  const [name] = /(?<=\{)\w+(?=\})/.exec(endpoint.path) ?? []
  const params = name && { [name]: name === 'mailbox_id' ? mailboxIdOf(objectId) : objectId }
  const query = endpoint.query?.parse({}) ?? undefined
  const request = { org, caller: readerOf(org), context, params, query, headers: {}, body: undefined }
  const rest = {
    ended: never,
    browser: null,
    stream: undefined,
    streamBytes: 0,
    streamCharset: undefined,
    staged: undefined,
  }
  try {
    const result = resultOf(await endpoint.handle({ ...request, ...rest, once: effectWithoutKey(org) }))
    if (result instanceof Json) return result.text
    const shown = endpoint.response?.parse(result)
    return JSON.stringify(endpoint.name === 'get_organization' ? organizationIn(shown) : shown)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** `GET /organization` also shows the API key of the request. */
const organizationIn = (identity: unknown) => (identity as { acting_on: unknown }).acting_on

const never = () => new AbortController().signal

/** The server as a caller. It may read every object of the organization. */
const readerOf = ({ orgId, actor }: Org): Caller => ({
  apiKeyId: orgId,
  memberId: null,
  sessionId: null,
  name: 'events',
  homeOrgId: orgId,
  payerId: orgId,
  orgId,
  mode: actor.mode,
  reachesClients: true,
  permissions: null,
})
