import { z } from 'zod'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { list } from '../../platform/http/collections.ts'
import { Answer, type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { literal } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { Json } from '../../platform/json.ts'
import { type ItemOutcome, type ReadItem, readItems, writeBatch } from '../batch.ts'
import { bodyOrAnswerTooLarge, boundedList } from '../bounded-list.ts'
import { reloadRecords } from '../find.ts'
import { unvalidatedItem } from '../items/sent.ts'
import { requireMayNameRecords } from '../named-references.ts'
import type { Fields, RecordType } from '../record-type.ts'
import { pluralOf } from './by-id.ts'

const itemsMax = 500
const bytesMax = 10 * 1024 * 1024

/** Returns the endpoint of a record type, such as `POST /contacts/batch`. */
export function batchEndpoint(type: RecordType): Endpoint {
  const { title, path, tag, idField, example } = type
  const plural = pluralOf(type)
  return endpoint({
    method: 'POST',
    path: `${path}/batch`,
    name: `batch_${plural}`,
    sdk: `${plural}.batch`,
    summary: `Create, upsert, change, archive or restore up to ${itemsMax} ${plural}`,
    description: `An item with \`${idField}\` changes that record as PATCH does, or archives or restores it with \`action\`. Any other item is a record to create or, with \`match_on\`, to upsert. An item with an id may have the \`version\` that the record must have, like If-Match of PATCH. Items run in order: each item sees the changes of the items before it. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, \`detail\` is a text with the number of its problems.`,
    tag,
    permission: `${plural}:write`,
    body: z
      .object({
        items: list(unvalidatedItem(type), { min: 1, max: itemsMax }).describe(
          'The items, in the order in which they are written. If an item is invalid, only this item fails.',
        ),
        return: literal('id', 'record')
          .meta({ title: 'BatchReturn' })
          .default('id')
          .describe('`record`: each outcome also has the record after the whole batch.'),
      })
      .meta({ title: `${title}Batch` }),
    bodyLimit: bytesMax,
    isLong: true,
    shape: 'data',
    response: z.array(outcomeSchema(type)),
    errors: { 413: bodyOrAnswerTooLarge },
    example: { items: [example] },
    staging: {
      take: ({ caller, body }) => readItems(caller.payerId, type, body.items),
      drop: async () => {},
    },
    handle: ({ org, caller, body, staged }) => {
      requireMayNameRecords(caller, type, fieldsOf(staged))
      return org.transact(async (tx) => {
        const outcomes = await writeBatch(tx, type, staged)
        if (body.return === 'record') return withRecords(tx, type, outcomes)
        return outcomes.map((outcome) => shownOutcome(type, outcome))
      })
    },
  })
}

function outcomeSchema({ title, idField, response }: RecordType): z.ZodType {
  return z
    .object({
      index: shown.count('The position of the item in the request, from 0.'),
      outcome: shown.word(
        'BatchOutcome',
        ['created', 'updated', 'archived', 'restored', 'failed'],
        'The effect of the item. `failed`: nothing, for the reason in `code` and `detail`.',
      ),
      [idField]: shown.id('The record that the item wrote.').optional(),
      version: shown.count('The version of the record after this item.', 1).optional(),
      record: response.optional().describe('The record after the whole batch, if you sent `return: record`.'),
      code: errorCode.optional().describe('Why the item failed, as a stable code for programs.'),
      detail: z.unknown().optional().describe('Why the item failed: a text, or details as in a 422.'),
    })
    .meta({
      title: `${title}BatchOutcome`,
      examples: [{ index: 0, outcome: 'created', [idField]: exampleId(idField), version: 1 }],
    })
}

const fieldsOf = (items: readonly ReadItem[]): Fields[] =>
  items.flatMap((item) => ('refused' in item ? [] : [item.fields]))

const shownOutcome = ({ idField }: RecordType, { recordId, ...outcome }: ItemOutcome) => ({
  ...outcome,
  ...(recordId ? { [idField]: recordId } : {}),
})

/** Adds the current record to each outcome. @throws DomainError too_large */
async function withRecords(
  tx: OrgTx,
  type: RecordType,
  outcomes: readonly ItemOutcome[],
): Promise<Answer<Json>> {
  const recordIds = [...new Set(outcomes.flatMap(({ recordId }) => recordId ?? []))]
  const records = await reloadRecords(tx, type, recordIds)
  const list = await boundedList(tx.payerId, outcomes, (outcome) => {
    const json = new Json(JSON.stringify(shownOutcome(type, outcome)))
    const record = records.get(outcome.recordId ?? '')
    return record ? json.with('record', record.json).text : json.text
  })
  return new Answer(list, { about: recordIds })
}
