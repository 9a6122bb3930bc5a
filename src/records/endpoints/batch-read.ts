import { z } from 'zod'
import type { Org } from '../../platform/db/org.ts'
import { list } from '../../platform/http/collections.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id, refuse, text } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { type Detail, detailAt, ValidationError } from '../../platform/http/validation.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { bodyOrAnswerTooLarge, boundedList } from '../bounded-list.ts'
import { unreadableValue } from '../fields.ts'
import { defaultCountry } from '../find.ts'
import { keyHash } from '../keys.ts'
import { otherIdsMax, type ReadResult, readByIds, readByKeys } from '../read-many.ts'
import type { HashedKey, KeyFilter, RecordType } from '../record-type.ts'
import { jsonColumnsOf, shownFields } from '../shown-fields.ts'
import { pluralOf } from './by-id.ts'

const requestedMax = 500

/** Returns the endpoint of a record type, such as `POST /contacts/batch/read`. */
export function batchReadEndpoint(type: RecordType): Endpoint {
  const { title, entity, path, tag } = type
  const plural = pluralOf(type)
  const readers = keyReaders(type)
  const names = ['ids', ...Object.keys(readers)]
  const notOne = refuse(`send exactly one of these: ${names.join(', ')}`)
  return endpoint({
    method: 'POST',
    path: `${path}/batch/read`,
    name: `read_${plural}`,
    sdk: `${plural}.batchRead`,
    summary: `Read up to ${requestedMax} ${plural} by id or key`,
    description: `Send exactly one of ${names.map((name) => `\`${name}\``).join(', ')}. The answer has one item for each value, in the same order. An id also finds an archived ${entity}. If the id belongs to a merged ${entity}, \`record\` is its canonical record, and \`status\` is \`merged\`. A key finds active ${plural}: \`record\` is the oldest one, and \`other_ids\` has up to ${otherIdsMax} others. The request changes nothing, so an Idempotency-Key has no effect.`,
    tag,
    permission: `${plural}:read`,
    body: z
      .object({
        ids: list(id(), { min: 1, max: requestedMax }).optional().describe(`Ids of ${plural}.`),
        ...Object.fromEntries(
          Object.entries(readers).map(([name, { description }]) => [
            name,
            list(text({ min: 1, max: 1000, trim: true }), { min: 1, max: requestedMax })
              .optional()
              .describe(description),
          ]),
        ),
        fields: shownFields(type, 'list')
          .optional()
          .describe('The names of the fields that each record has in the answer. By default all.'),
      })
      .meta({ title: `${title}BatchRead` }),
    isLong: true,
    effect: 'none',
    shape: 'data',
    response: z.array(readItem(type)),
    errors: { 413: bodyOrAnswerTooLarge },
    example: { external_ids: ['crm:D-17'] },
    async handle({ org, caller, body }) {
      const { fields, ...lists } = body as { fields?: string[] } & Record<string, string[] | undefined>
      const sent = Object.entries(lists).flatMap(([name, values]) =>
        values ? [[name, values] as const] : [],
      )
      const [[name, requested] = ['', []], ...others] = sent
      if (name === '' || others.length > 0) throw new ValidationError([detailAt(['body'], notOne)])
      const wire = fields ? jsonColumnsOf(type, fields) : type.wire
      const reader = readers[name]
      const resultOf = reader
        ? await byKeys(caller.payerId, org, type, name, reader, requested, wire)
        : await readByIds(org, type, requested, wire)
      return boundedList(caller.payerId, requested, (value) => itemJson(value, resultOf(value)))
    },
  })
}

function readItem({ title, entity, response }: RecordType): z.ZodType {
  const requested = shown.text('The id or key that you sent.', 'crm:D-17')
  const others = z.array(shown.id(`A ${entity} with this key.`)).meta({
    description: 'The ids of further active records with this key, the oldest first.',
    examples: [[]],
  })
  const found = z.object({
    requested,
    status: shown.word(
      'FoundStatus',
      ['found', 'merged'],
      '`merged`: the id belongs to a merged record, and `record` is its canonical record.',
    ),
    record: response.describe(`The ${entity}.`),
    other_ids: others,
  })
  const missing = z.object({
    requested,
    status: shown.word('MissingStatus', ['erased', 'not_found'], 'Why there is no record.', 'not_found'),
    record: z.null().describe('No record was found.'),
    other_ids: others,
  })
  return z
    .discriminatedUnion('status', [
      found.meta({ title: `${title}Found` }),
      missing.meta({ title: `${title}Missing` }),
    ])
    .meta({ title: `${title}BatchReadItem` })
}

/** Returns the readers of keys, by the name of the list in the body (`emails`). */
function keyReaders({ fields }: RecordType): Record<string, KeyFilter> {
  const keys = Object.values(fields).flatMap(({ key }) =>
    key?.isMatched && key.filter ? [[key.kind, key.filter] as const] : [],
  )
  return Object.fromEntries(keys.map(([kind, filter]) => [`${kind}s`, filter]))
}

/**
 * @param owner `payerId` of the caller, whose limits the request uses
 * @throws ValidationError that lists every unreadable value
 */
async function byKeys(
  owner: string,
  org: Org,
  type: RecordType,
  name: string,
  { key, needsCountry }: KeyFilter,
  requested: readonly string[],
  wire: RecordType['wire'],
): Promise<(value: string) => ReadResult> {
  const country = requested.some((value) => needsCountry?.(value)) ? await org.read(defaultCountry) : null
  const problems: Detail[] = []
  const keys = new Map<string, HashedKey>()
  const read = await mapInSlices(
    owner,
    requested,
    (value) => [value, key(value, { defaultCountry: country })] as const,
  )
  for (const [index, [value, found]] of read.entries()) {
    if ('problem' in found) problems.push(detailAt(['body', name, index], unreadableValue(found.problem)))
    else keys.set(value, { kind: found.kind, hash: keyHash(found) })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  const resultOf = await readByKeys(org, type, [...keys.values()], wire)
  return (value) => {
    const key = keys.get(value)
    if (!key) throw new Error('A requested value has no key')
    return resultOf(key)
  }
}

const itemJson = (requested: string, { status, record, otherIds }: ReadResult) =>
  `{"requested":${JSON.stringify(requested)},"status":"${status}","record":${record},"other_ids":${JSON.stringify(otherIds)}}`
