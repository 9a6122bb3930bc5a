import { ApiError } from '../../../../../sdk/src/errors.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { percent } from '../../../parts/numbers.ts'
import { Progress } from '../../../parts/progress.tsx'
import { UnfitFile } from './read-file.ts'
import type { UploadState } from './use-upload.ts'

/** How far an upload is, or why it does not continue. */
export function UploadProgress({ state, title, name }: { state: UploadState; title: string; name: string }) {
  if (state.phase === 'idle') return null
  if (state.phase === 'failed') return <FileProblem error={state.error} />
  if (state.phase === 'waiting')
    return (
      <Note kind="warn">
        <b>{state.isOffline ? 'The connection is lost.' : 'Crosswalk is busy.'}</b> “{name}” is sent again as
        soon as Crosswalk answers, and counts only once.
        <div className="rail" style={{ marginTop: 8 }}>
          <Button onClick={state.retry}>Try now</Button>
        </div>
      </Note>
    )
  return (
    <div className="stack g12">
      <div className="rail base">
        <h2 className="t20 strong">{title}</h2>
        <span className="end t20 strong">{percent(state.part)}</span>
      </div>
      <Progress label={title} done={state.part} />
    </div>
  )
}

/** Why a file is refused. */
export function FileProblem({ error }: { error: unknown }) {
  if (error instanceof UnfitFile) return <Note kind="bad">{error.message}</Note>
  const { title, text, kind, requestId } = problemOf(error)
  const isAboutFile = error instanceof ApiError && (error.status === 422 || error.status === 413)
  return (
    <Note kind="bad">
      {!isAboutFile && <b>{title}. </b>}
      {text}
      {kind === 'failed' && requestId && (
        <span className="t12">
          {' '}
          Request id <span className="mono">{requestId}</span>
        </span>
      )}
    </Note>
  )
}
