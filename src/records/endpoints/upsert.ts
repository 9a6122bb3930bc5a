import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { word } from '../../platform/http/shown.ts'
import { reloadRecord } from '../find.ts'
import { matchOnOf } from '../match-on.ts'
import { newInputWith, requireMayNameRecords } from '../named-references.ts'
import type { RecordType } from '../record-type.ts'
import { upsertRecord } from '../upsert.ts'
import { missingReference, pluralOf, recordAnswer } from './by-id.ts'

/** Returns the endpoint of a record type, such as `POST /contacts/upsert`. */
export function upsertEndpoint(type: RecordType): Endpoint {
  const { entity, title, path, tag, response, example, shownExample } = type
  return endpoint({
    method: 'POST',
    path: `${path}/upsert`,
    name: `upsert_${entity}`,
    sdk: `${pluralOf(type)}.upsert`,
    summary: `Update the ${entity} that matches, or create one`,
    description:
      'Sets the fields that you send. Values of list fields (addresses, numbers, domains, tags, external ids, contacts) are added to the lists. Concurrent upserts with the same key never create two records.',
    tag,
    permission: `${pluralOf(type)}:write`,
    body: newInputWith(type, { match_on: matchOnOf(type) }).meta({ title: `${title}Upsert` }),
    shape: 'data',
    answerHeaders: ['ETag'],
    response: z
      .object({
        ...response.shape,
        outcome: word(
          'UpsertOutcome',
          ['created', 'updated'],
          `Whether the request created the ${entity} or updated it.`,
        ),
      })
      .meta({
        title: `Upserted${title}`,
        examples: [{ ...shownExample, outcome: 'created' }],
      }),
    errors: { ...missingReference, 409: 'More than one record matches; the text lists their ids' },
    example: { match_on: Object.keys(type.matchOn)[0], ...example },
    handle: ({ org, caller, body }) => {
      const { match_on: matched, ...given } = body as Record<string, unknown>
      requireMayNameRecords(caller, type, [given])
      return org.transact(async (tx) => {
        const { recordId, outcome } = await upsertRecord(tx, type, matched as string, given)
        const found = await reloadRecord(tx, type, recordId)
        return recordAnswer(type, { ...found, json: found.json.with('outcome', outcome) })
      })
    },
  })
}
