import { z } from 'zod'
import { shownActor } from '../events/schema.ts'
import { text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { aboutRecord, recordFilter, shownSubject } from '../records/subject-schema.ts'

const noteText = text({ min: 1, max: 65_536, trim: 'end' }).describe(
  'The text in Markdown, up to 65,536 characters.',
)

export const NoteQuery = z.object({ record_id: recordFilter('notes'), ...listQuery })

export const CreateNote = z.object({ ...aboutRecord('note'), text: noteText }).meta({ title: 'CreateNote' })

export const UpdateNote = z.object({ text: noteText }).meta({ title: 'UpdateNote' })

export const Note = z
  .object({
    note_id: shown.id('The id of the note.'),
    ...shownSubject('note'),
    text: shown.text('The text in Markdown.', 'Wants an offer for **40 seats** in March.'),
    author: shownActor.describe('The API key, person or program that wrote the note.'),
    version: shown.version(),
    created_at: shown.time('When the note was written.'),
    updated_at: shown.time('When the text was last changed.'),
  })
  .meta({ title: 'Note' })

export type Note = z.output<typeof Note>
export type NoteQuery = z.output<typeof NoteQuery>
export type CreateNote = z.output<typeof CreateNote>
