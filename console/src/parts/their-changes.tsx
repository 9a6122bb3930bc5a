import { Note } from './note.tsx'

/**
 * Says what somebody else changed while a person typed, before they save again.
 * @param theirs the names of the settings, see `useChanges`; empty: nothing is shown
 * @param of the object, such as “task”
 */
export const TheirChanges = ({ theirs, of }: { theirs: readonly string[]; of: string }) =>
  theirs.length > 0 && (
    <Note kind="warn">
      Somebody else changed the {theirs.join(', the ')} of this {of} while you typed. What you typed is still
      here. “Save again” stores only what you changed.
    </Note>
  )
