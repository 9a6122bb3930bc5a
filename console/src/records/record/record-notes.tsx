import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Note } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { actorWords } from '../../parts/event-words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MenuButton } from '../../parts/menu.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Time } from '../../parts/time.tsx'
import { fullTime } from '../../parts/times.ts'
import { showToast } from '../../parts/toast.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { NoteDialog } from './note-dialog.tsx'
import { Part } from './part.tsx'
import styles from './related.module.css'

const Markdown = lazyPart(() => import('../../parts/markdown.tsx'), 'Markdown')

const pageSize = 20
const pollMs = 5_000

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; note: Note }

/** The notes about a record, the latest first. */
export function RecordNotes({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const id = idOf(kind, record)
  const [open, setOpen] = useState<Open | null>(null)
  const queryKey = ['record-notes', orgId, id]
  const notes = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.notes.list({ record_id: id, limit: pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    enabled: can('notes:read'),
    refetchInterval: pollMs,
  })
  if (!can('notes:read')) return null
  const mayChange = can('notes:write')
  const done = (words: string) => {
    setOpen(null)
    showToast(words)
    void queries.invalidateQueries({ queryKey })
  }
  return (
    <Part
      name="Notes"
      about={
        mayChange && (
          <Button kind="quiet" icon="plus" aria-label="Add a note" onClick={() => setOpen({ kind: 'new' })} />
        )
      }
    >
      <Loaded query={notes} rows={2}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data)
          if (all.length === 0) return <p className="two">There is no note yet.</p>
          return (
            <>
              <ul>
                {all.map((note) => (
                  <li key={note.note_id} className={styles.note}>
                    <div className="rail">
                      <span className="cut strong">{actorWords(note.author)}</span>
                      <span className="end three">
                        <Time at={note.created_at} />
                      </span>
                      {mayChange && (
                        <MenuButton
                          label={`Actions for the note of ${actorWords(note.author)}, ${fullTime(note.created_at)}`}
                          acts={[
                            { name: 'Edit', icon: 'pencil', run: () => setOpen({ kind: 'edit', note }) },
                            {
                              name: 'Delete',
                              icon: 'trash',
                              danger: true,
                              run: () => setOpen({ kind: 'delete', note }),
                            },
                          ]}
                        />
                      )}
                    </div>
                    <Suspense fallback={note.text}>
                      <Markdown text={note.text} />
                    </Suspense>
                  </li>
                ))}
              </ul>
              {notes.hasNextPage && <NextPageButton query={notes} act="Show older notes" end="" />}
            </>
          )
        }}
      </Loaded>
      {open && open.kind !== 'delete' && (
        <NoteDialog
          note={open.kind === 'edit' ? open.note : null}
          about={{ entity_type: kind.entity, record_id: id }}
          onClose={() => setOpen(null)}
          onSaved={() => done(open.kind === 'new' ? 'The note is added.' : 'The note is saved.')}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title="Delete this note?"
          act="Delete"
          work={async () => api.notes.delete(open.note.note_id)}
          onClose={() => setOpen(null)}
          onDone={() => done('The note is deleted.')}
        >
          <p>Crosswalk deletes the note permanently. This cannot be undone.</p>
        </Confirmation>
      )}
    </Part>
  )
}
