import { z } from 'zod'
import { field, id, integer, literal } from '../../platform/http/fields.ts'
import { toJsonSchema } from '../../platform/http/json-schema.ts'
import { matchOnOf } from '../match-on.ts'
import { newInputWith } from '../named-references.ts'
import type { RecordType } from '../record-type.ts'

export type ItemSchemas = readonly [create: z.ZodObject, change: z.ZodObject, action: z.ZodObject]

/** The schemas of the items of a batch. */
export function itemSchemas(type: RecordType): ItemSchemas {
  const { entity, title, idField, changes } = type
  const known = {
    [idField]: id().describe(`The id of the ${entity} to write.`),
    version: integer({ min: 0 })
      .optional()
      .describe('The version that the record must have; otherwise the item fails, as with If-Match.'),
  }
  const action = literal('archive', 'restore').meta({
    title: 'BatchAction',
    description: `Archives the ${entity} or restores it.`,
  })
  return [
    newInputWith(type, {
      match_on: matchOnOf(type)
        .optional()
        .describe(
          'The key by which the item finds the record to update. Without `match_on`, the item creates a record.',
        ),
    }).meta({ title: `${title}BatchCreate` }),
    changes.extend(known).meta({ title: `${title}BatchChange` }),
    z.object({ ...known, action }).meta({ title: `${title}BatchAction` }),
  ]
}

/** Accepts any item, so that an invalid item fails alone. The reference shows the schemas of valid items. */
export const unvalidatedItem = (type: RecordType): z.ZodType<unknown> =>
  field((value) => value, {
    title: `${type.title}BatchItem`,
    // Build the schemas only for the reference: building them earlier would slow the start of a server.
    get anyOf() {
      return itemSchemas(type).map((schema) => toJsonSchema(schema, 'input'))
    },
  })
