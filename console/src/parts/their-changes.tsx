import { Note } from './note.tsx'

/**
 * Says what somebody else changed while a person typed, before they save again.
 * @param theirs the names of the settings, see `useChanges`; empty: nothing is shown
 * @param of the object, such as “task”; by default the page that shows the form says which
 * @param act the button that saves again
 */
export const TheirChanges = ({
  theirs,
  of,
  act = 'Save again',
}: {
  theirs: readonly string[]
  of?: string
  act?: string
}) =>
  theirs.length > 0 && (
    <Note kind="warn">
      Somebody else changed the {theirs.join(', the ')}
      {of && ` of this ${of}`} while you typed. What you typed is still here. “{act}” stores only what you
      changed. If you both changed the same, yours replaces theirs.
    </Note>
  )
