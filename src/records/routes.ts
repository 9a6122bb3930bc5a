import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { Answer, type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { boolean, id, literal, timestamp } from '../platform/http/fields.ts'
import { ifMatch } from '../platform/http/if-match.ts'
import { filterText, listQuery } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { batchItem, readItems, unreadItem, writeBatch } from './batch.ts'
import { changeRecord } from './change.ts'
import { createRecord } from './create.ts'
import { eraseRecord } from './erase.ts'
import { type Found, findRecord, listRecords, type RecordQuery, reloadRecord } from './find.ts'
import { lockRecord } from './lock.ts'
import type { ErasableType, RecordType } from './record-type.ts'
import { inSearchTurn } from './search.ts'
import { upsertRecord } from './upsert.ts'
import { setArchived } from './write.ts'

const batchMax = 500
const batchBytes = 10 * 1024 * 1024

/**
 * The answer for a record, with its version as ETag, and with Content-Location if the canonical record has another
 * id.
 */
export function shown(type: RecordType, found: Found, asked?: string, status?: number): Answer<Json> {
  const moved = asked !== undefined && asked !== found.recordId
  return new Answer(found.json, {
    ...(status ? { status } : {}),
    headers: {
      etag: `"${found.version}"`,
      ...(moved ? { 'content-location': `/api/v1${type.path}/${found.recordId}` } : {}),
    },
  })
}

type About = Pick<Endpoint, 'method' | 'path' | 'name' | 'summary' | 'description'>

/** The endpoints of every record type. */
export function recordEndpoints(type: ErasableType): Endpoint[] {
  const { entity, path, tag, idField, fields, changes, response } = type
  const plural = path.slice(1)
  const params = z.object({ [idField]: id() })
  const idOf = (parsed: Record<string, unknown>) => parsed[idField] as string
  const headers = z.object({ 'if-match': ifMatch })
  const matchOn = literal(...(Object.keys(type.matchOn) as [string, ...string[]]))
  const item = batchItem(type, matchOn.optional())
  const errors = { 404: `No ${entity} of this organization has this id` }
  const badReference: Record<number, string> =
    type.references.length + type.links.length > 0
      ? { 404: 'A reference has an id that this organization does not have' }
      : {}
  const conflicts = { ...errors, 409: 'If-Match has a version that is not the current one' }
  const filters = {
    ...Object.fromEntries(
      Object.entries(type.keyFilters).map(([name, { schema, description }]) => [
        name,
        schema.describe(description),
      ]),
    ),
    ...Object.fromEntries(Object.entries(type.columnFilters).map(([name, { schema }]) => [name, schema])),
    q: filterText(200).describe('Words with which a name or an address starts, in any order.'),
    updated_since: timestamp()
      .optional()
      .describe('Unix seconds: only records that changed at or after this time.'),
    archived: boolean().default(false).describe('true lists archived records instead of active ones.'),
    ...listQuery,
  }

  /** The endpoint that archives or restores a record. */
  const archiving = (archived: boolean, about: About): Endpoint =>
    endpoint({
      ...about,
      tag,
      permission: `${plural}:write`,
      params,
      headers,
      shape: 'data',
      answerHeaders: ['ETag', 'Content-Location'],
      response,
      errors: conflicts,
      handle: ({ org, params, headers }) =>
        org.transact(async (tx) => {
          const version = headers['if-match']
          const stored = await lockRecord(tx, type, idOf(params), { version })
          await setArchived(tx, type, [stored], archived)
          return shown(type, await reloadRecord(tx, type, stored.recordId), idOf(params))
        }),
    })

  return [
    endpoint({
      method: 'GET',
      path,
      name: `list_${plural}`,
      summary: `List ${plural}`,
      description: 'Newest first. For the next page, send `pagination.next_cursor` as `cursor`.',
      tag,
      permission: `${plural}:read`,
      query: z.object(filters),
      shape: 'page',
      response: z.array(response),
      handle: ({ org, caller, context, query }) => {
        const read = () => listRecords(org, context.cursors, type, query as RecordQuery)
        return (query as RecordQuery).q === undefined ? read() : inSearchTurn(caller.payerOrgId, read)
      },
    }),
    endpoint({
      method: 'POST',
      path,
      name: `create_${entity}`,
      summary: `Create a ${entity}`,
      tag,
      permission: `${plural}:write`,
      body: fields,
      status: 201,
      location: `${path}/{${idField}}`,
      shape: 'data',
      answerHeaders: ['ETag'],
      response,
      errors: badReference,
      example: type.example,
      handle: ({ org, body }) =>
        org.transact(async (tx) => {
          const recordId = await createRecord(tx, type, body)
          return shown(type, await reloadRecord(tx, type, recordId))
        }),
    }),
    endpoint({
      method: 'GET',
      path: `${path}/{${idField}}`,
      name: `get_${entity}`,
      summary: `Read a ${entity}`,
      description: `Also returns archived ${plural}. The id of a merged ${entity} returns its canonical record, with Content-Location.`,
      tag,
      permission: `${plural}:read`,
      params,
      shape: 'data',
      answerHeaders: ['ETag', 'Content-Location'],
      response,
      errors,
      handle: async ({ org, params }) => shown(type, await findRecord(org, type, idOf(params)), idOf(params)),
    }),
    endpoint({
      method: 'PATCH',
      path: `${path}/{${idField}}`,
      name: `update_${entity}`,
      summary: `Change a ${entity}`,
      description: 'Changes only the fields that you send. null clears a field.',
      tag,
      permission: `${plural}:write`,
      params,
      headers,
      body: changes,
      shape: 'data',
      answerHeaders: ['ETag', 'Content-Location'],
      response,
      errors: { ...errors, 409: `If-Match has another version, or the ${entity} is archived` },
      example: type.changeExample,
      handle: ({ org, params, headers, body }) =>
        org.transact(async (tx) => {
          const recordId = await changeRecord(tx, type, idOf(params), body, headers['if-match'])
          return shown(type, await reloadRecord(tx, type, recordId), idOf(params))
        }),
    }),
    archiving(true, {
      method: 'DELETE',
      path: `${path}/{${idField}}`,
      name: `archive_${entity}`,
      summary: `Archive a ${entity}`,
      description: 'Lists no longer have it. It keeps all data and can be restored.',
    }),
    archiving(false, {
      method: 'POST',
      path: `${path}/{${idField}}/restore`,
      name: `restore_${entity}`,
      summary: `Restore an archived ${entity}`,
    }),
    endpoint({
      method: 'POST',
      path: `${path}/{${idField}}/erase`,
      name: `erase_${entity}`,
      summary: `Erase a ${entity} permanently`,
      description: 'Removes all of its data permanently. Its id then gets 404.',
      tag,
      permission: `${plural}:manage`,
      params,
      headers,
      shape: 'data',
      response: z.object({ [idField]: z.string(), erased: z.literal(true) }),
      errors: conflicts,
      handle: ({ org, params, headers }) =>
        org.transact(async (tx) => {
          const version = headers['if-match']
          const stored = await lockRecord(tx, type, idOf(params), { version, forDelete: true })
          await eraseRecord(tx, type, stored)
          return { [idField]: stored.recordId, erased: true as const }
        }),
    }),
    endpoint({
      method: 'POST',
      path: `${path}/upsert`,
      name: `upsert_${entity}`,
      summary: `Update the ${entity} that matches, or create one`,
      description:
        'Sets the fields that you send. Lists (addresses, numbers, domains, tags, external ids, contacts) grow. Concurrent upserts with the same key never create two records.',
      tag,
      permission: `${plural}:write`,
      body: fields.extend({ match_on: matchOn }),
      shape: 'data',
      answerHeaders: ['ETag'],
      response: z.object({ ...response.shape, outcome: z.enum(['created', 'updated']) }),
      errors: { ...badReference, 409: 'More than one record matches; the text lists their ids' },
      example: { match_on: Object.keys(type.matchOn)[0], ...type.example },
      handle: ({ org, body }) =>
        org.transact(async (tx) => {
          const { match_on: matched, ...given } = body as Record<string, unknown>
          const { recordId, outcome } = await upsertRecord(tx, type, matched as string, given)
          const found = await reloadRecord(tx, type, recordId)
          return shown(type, { ...found, json: found.json.with('outcome', outcome) })
        }),
    }),
    endpoint({
      method: 'POST',
      path: `${path}/batch`,
      name: `batch_${plural}`,
      summary: `Create or upsert up to ${batchMax} ${plural}`,
      description:
        'Each item is a record, optionally with `match_on`. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, `detail` is a text with the number of its problems.',
      tag,
      permission: `${plural}:write`,
      body: z.object({ items: list(unreadItem, { min: 1, max: batchMax }) }),
      bodyLimit: batchBytes,
      isLong: true,
      shape: 'data',
      response: z.array(
        z.object({
          index: z.int(),
          outcome: z.enum(['created', 'updated', 'failed']),
          [idField]: z.string().optional(),
          detail: z.unknown().optional().describe('Why the item failed: a text, or details as in a 422.'),
        }),
      ),
      example: { items: [type.example] },
      staging: {
        take: ({ org, body }) => readItems(org.orgId, item, body.items),
        drop: async () => {},
      },
      handle: ({ org, staged }) =>
        org.transact(async (tx) => {
          const outcomes = await writeBatch(tx, type, staged)
          return outcomes.map(({ recordId, ...outcome }) => ({
            ...outcome,
            ...(recordId ? { [idField]: recordId } : {}),
          }))
        }),
    }),
  ]
}
