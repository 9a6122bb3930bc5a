import type { z } from 'zod'
import { entityTypes } from '../matching/entity-type.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { id, literal } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

/** The fields of a request that name the record of a new note or task (subject.ts). */
export const aboutRecord = (noun: 'note' | 'task') => ({
  entity_type: literal(...entityTypes).meta({
    title: 'EntityType',
    description: `The type of the record that the ${noun} is about.`,
  }),
  record_id: id().describe(
    `The record that the ${noun} is about. After a merge, the id of any merged record works. After an undo, the ${noun} belongs to the record whose id you sent.`,
  ),
})

/** The fields of an answer about the subject. */
export const shownSubject = (noun: 'note' | 'task') => ({
  entity_type: shown.word('EntityType', entityTypes, `The type of the record that the ${noun} is about.`),
  record_id: shown
    .id(
      `The record that the ${noun} is about. It follows merges and undos of the record, without a new version of the ${noun}.`,
    )
    .meta({ examples: [exampleId('contact_id')] }),
  record_name: shown.text('The current name of the record; null: it has none.', 'Ada Lovelace').nullable(),
})

/** The query member that selects notes or tasks about one record. */
export const recordFilter = (nouns: 'notes' | 'tasks'): z.ZodType<string | undefined, unknown> =>
  id()
    .optional()
    .describe(`Only ${nouns} about this contact, company or deal, or about a record that is merged with it.`)
