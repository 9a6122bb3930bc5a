import { actorMembers } from '../events/actor.ts'
import { recordEvents } from '../events/record.ts'
import { JsonColumns, type TextRow } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql, withTextRows } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { isAbout, lockSubject, subjectMembers } from '../records/subject.ts'
import type { CreateNote, Note, NoteQuery } from './schema.ts'

/** The notes that can be written with the id of one record. Merges can join more. */
const notesMax = 10_000

const erasedAtOnce = 1_000

const wire = new JsonColumns('n', {
  note_id: 'uuid',
  ...subjectMembers('n'),
  text: 'text',
  author: { object: actorMembers('n') },
  version: 'integer',
  created_at: 'seconds',
  updated_at: 'seconds',
})

/** Returns the notes of the org or of a record, newest first. */
export function listNotes(
  org: Org,
  cursors: Cursors,
  query: NoteQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { record_id: recordId } = query
  const filter = new Filter(org.orgId, 'n').where(recordId, (id) => isAbout(org.orgId, 'n', id))
  const list = JSON.stringify(['notes', recordId])
  const source = { list, from: sql`note n`, id: sql`n.note_id`, wire, filter }
  // Read all notes of a record: the planner could otherwise search for them among all notes of the org.
  return readPage(org, cursors, { ...source, readsAll: recordId !== undefined }, query)
}

/** @throws DomainError not_found for an unknown record; conflict if the record has 10,000 notes */
export async function createNote(tx: OrgTx, { entity_type, record_id, text }: CreateNote): Promise<Note> {
  const canonicalId = await lockSubject(tx, entity_type, record_id)
  const noteId = newId()
  const { apiKeyId, memberId, connectedAppId = null, isOperator = null } = tx.actor
  const now = new Date(timeOf(noteId))
  const inserted = await tx.run(sql`
    insert into note (org_id, note_id, entity, record_raw_id, text, api_key_id, member_id, connected_app_id, by_operator,
      created_at, updated_at)
    select ${tx.orgId}, ${noteId}, ${entity_type}, ${record_id}, ${text}, ${apiKeyId}, ${memberId}, ${connectedAppId},
      ${isOperator}, ${now}, ${now}
    where (select count(*) from note where org_id = ${tx.orgId} and record_raw_id = ${record_id}) < ${notesMax}`)
  if (inserted === 0)
    throw conflict('limit_reached', `A record can have at most ${notesMax} notes. Delete old ones first.`)
  const data = { entity_type, record_id: canonicalId }
  await recordEvents(tx, [{ type: 'note.created', objectId: noteId, data }])
  return readNote(tx, noteId)
}

/** @throws DomainError not_found; conflict if `version` is not the current one */
export async function changeNote(
  tx: OrgTx,
  noteId: string,
  { text }: { text: string },
  version: number | undefined,
): Promise<Note> {
  const note = await lockNote(tx, noteId, version)
  if (note.text === text) return note
  await tx.run(sql`
    update note set text = ${text}, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and note_id = ${noteId}`)
  const changed = ['text']
  await recordEvents(tx, [{ type: 'note.updated', objectId: noteId, changed, data: subjectOf(note) }])
  return readNote(tx, noteId)
}

/** @throws DomainError not_found; conflict if `version` is not the current one */
export async function deleteNote(tx: OrgTx, noteId: string, version: number | undefined): Promise<void> {
  const note = await lockNote(tx, noteId, version)
  await tx.run(sql`delete from note where org_id = ${tx.orgId} and note_id = ${noteId}`)
  await recordEvents(tx, [{ type: 'note.deleted', objectId: noteId, data: subjectOf(note) }])
}

/** Deletes the notes about records that are being erased. */
export async function eraseNotes(tx: OrgTx, recordIds: readonly string[]): Promise<void> {
  for (let deleted = erasedAtOnce; deleted === erasedAtOnce; ) {
    const rows = await tx.rows(sql<{ note_id: string; entity_type: string; record_id: string }>`
      delete from note where org_id = ${tx.orgId} and note_id = any(array(
        select note_id from note where org_id = ${tx.orgId} and record_raw_id = any(${recordIds}::uuid[])
        limit ${erasedAtOnce}))
      returning note_id, entity as entity_type, record_raw_id as record_id`)
    await recordEvents(
      tx,
      rows.map(({ note_id, ...data }) => ({ type: 'note.deleted', objectId: note_id, data })),
    )
    deleted = rows.length
  }
}

/** @throws DomainError not_found */
export async function readNote(tx: OrgTx, noteId: string): Promise<Note> {
  const [row] = await tx.rows(
    withTextRows(sql<TextRow>`
      select ${wire.columns} from note n where n.org_id = ${tx.orgId} and n.note_id = ${noteId}`),
  )
  if (!row) throw noteNotFound()
  return JSON.parse(wire.object(row, 0)) as Note
}

async function lockNote(tx: OrgTx, noteId: string, version: number | undefined): Promise<Note> {
  await tx.first(sql`
    select from note where org_id = ${tx.orgId} and note_id = ${noteId} for no key update`)
  const note = await readNote(tx, noteId)
  requireVersion('this note', version, note.version)
  return note
}

const noteNotFound = () => notFound('object_not_found', 'No note of this organization has this id')

const subjectOf = ({ entity_type, record_id }: Note) => ({ entity_type, record_id })
