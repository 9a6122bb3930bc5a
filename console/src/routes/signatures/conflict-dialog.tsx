import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import styles from './conflict-dialog.module.css'
import { editorSetup } from './editor/setup.ts'
import { type Conflict, type Draft, partNames } from './use-draft.ts'

/** Shows their version beside mine, after both changed the same part. My side can still be edited. */
export function ConflictDialog({
  conflict: { theirs, parts },
  mine: typed,
  onMine,
  onTheirs,
  onSaved,
  onClose,
}: {
  conflict: Conflict
  mine: Draft
  /** Stores a version over theirs. Returns null if theirs changed once more. */
  onMine: (mine: Draft) => Promise<unknown>
  onTheirs: () => void
  onSaved: () => void
  onClose: () => void
}) {
  const [mine, setMine] = useState(typed)
  const form = useSubmit(() => onMine(mine), { onDone: (saved) => saved && onSaved() })
  return (
    <Dialog
      title="Somebody else saved this template"
      wide
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" onClick={onClose}>
            Keep editing
          </Button>
          <Button onClick={onTheirs}>Show theirs instead</Button>
          <Button kind="main" isBusy={form.isBusy} onClick={() => form.submit()} data-autofocus>
            Save mine
          </Button>
        </>
      }
    >
      <p className="two">
        Both of you changed the {parts.map((part) => partNames[part]).join(' and the ')}. Take single lines of
        theirs with the arrows, or edit yours. Nothing is saved yet.
      </p>
      {parts.map((part) =>
        part === 'name' ? (
          <dl key={part} className={styles.names}>
            <dt>Theirs</dt>
            <dd>{theirs.name}</dd>
            <dt>Yours</dt>
            <dd>{mine.name}</dd>
          </dl>
        ) : (
          <Sides
            key={part}
            theirs={theirs[part] ?? ''}
            mine={typed[part] ?? ''}
            onChange={(text) => setMine((before) => ({ ...before, [part]: text }))}
          />
        ),
      )}
      {form.rest && <Note kind="bad">{form.rest}</Note>}
    </Dialog>
  )
}

function Sides({
  theirs,
  mine,
  onChange,
}: {
  theirs: string
  mine: string
  onChange: (text: string) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is made once, and holds the texts from then on
  useEffect(() => {
    const view = new MergeView({
      parent: place.current ?? document.body,
      a: { doc: theirs, extensions: [editorSetup('Theirs'), EditorState.readOnly.of(true)] },
      b: {
        doc: mine,
        extensions: [
          editorSetup('Yours'),
          EditorView.updateListener.of(
            ({ docChanged, state }) => docChanged && latest.current(state.doc.toString()),
          ),
        ],
      },
      revertControls: 'a-to-b',
      gutter: false,
    })
    return () => view.destroy()
  }, [])
  return (
    <div className="stack g4">
      <div className={styles.heads}>
        <span>Theirs</span>
        <span>Yours</span>
      </div>
      <div ref={place} className={styles.sides} />
    </div>
  )
}
