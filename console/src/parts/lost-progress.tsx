import { Note } from './note.tsx'

/**
 * Says that the progress of work on the server could not be read. Shows nothing while it can.
 * @param name the work, such as “import”
 */
export const LostProgress = ({
  query,
  name,
}: {
  query: { isError: boolean; isPaused: boolean }
  name: string
}) =>
  (query.isError || query.isPaused) && (
    <Note kind="warn">
      <b>Crosswalk does not answer.</b> The {name} continues. This page catches up as soon as there is an
      answer.
    </Note>
  )
