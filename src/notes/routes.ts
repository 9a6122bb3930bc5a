import { z } from 'zod'
import { limitLongReads } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { changeNote, createNote, deleteNote, listNotes, readNote } from './notes.ts'
import { CreateNote, Note, NoteQuery, UpdateNote } from './schema.ts'

const path = '/notes'
const tag = 'Notes'
const params = z.object({ note_id: id().describe('The id of the note.') })
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No note of this organization has this id',
  409: 'If-Match does not name the current version',
}

export const noteEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    name: 'list_notes',
    sdk: 'notes.list',
    summary: 'List the notes',
    description:
      'Newest first. With `record_id`, the notes of a record and of all records that are merged with it.',
    tag,
    permission: 'notes:read',
    query: NoteQuery,
    shape: 'page',
    response: z.array(Note),
    // A page has up to 4 MiB.
    handle: ({ org, caller, context, query }) =>
      limitLongReads(caller.payerId, () => listNotes(org, context.cursors, query)),
  }),
  endpoint({
    method: 'POST',
    path,
    name: 'create_note',
    sdk: 'notes.create',
    summary: 'Write a note',
    description: 'The note is about one contact, company or deal. It is erased together with this record.',
    tag,
    permission: 'notes:write',
    body: CreateNote,
    status: 201,
    location: `${path}/{note_id}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Note,
    errors: {
      404: 'No such record of this organization has this id',
      409: 'The record has 10,000 notes',
    },
    example: {
      entity_type: 'contact',
      record_id: exampleId('contact_id'),
      text: 'Wants an offer for **40 seats** in March.',
    },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createNote(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/{note_id}`,
    name: 'get_note',
    sdk: 'notes.get',
    summary: 'Read a note',
    tag,
    permission: 'notes:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Note,
    errors: { 404: errors[404] },
    handle: ({ org, params }) => org.read(async (tx) => withETag(await readNote(tx, params.note_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: `${path}/{note_id}`,
    name: 'update_note',
    sdk: 'notes.update',
    summary: 'Change the text of a note',
    description: 'The author stays the same. The events say who changed the text.',
    tag,
    permission: 'notes:write',
    params,
    headers,
    body: UpdateNote,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Note,
    errors,
    example: { text: 'Wants an offer for **50 seats** in March.' },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) => withETag(await changeNote(tx, params.note_id, body, headers['if-match']))),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/{note_id}`,
    name: 'delete_note',
    sdk: 'notes.delete',
    summary: 'Delete a note',
    description: 'A deleted note cannot be restored.',
    tag,
    permission: 'notes:write',
    params,
    headers,
    shape: 'none',
    errors,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        await deleteNote(tx, params.note_id, headers['if-match'])
        return undefined
      }),
  }),
]
