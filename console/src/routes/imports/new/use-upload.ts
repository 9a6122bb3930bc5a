import { useEffect, useRef, useState } from 'react'
import { ConnectionError, CrosswalkError, TimeoutError } from '../../../../../sdk/src/errors.ts'
import type { Import } from '../../../../../sdk/src/generated/types.ts'
import { apiFor } from '../../../api/client.ts'
import { fetchWithProgress } from '../../../api/fetch-with-progress.ts'
import { guarded } from '../../../api/guarded-fetch.ts'
import { isCanceled } from '../../../api/problem.ts'
import { failureOf, isTemporary, newKey } from '../../../api/requests.ts'
import { useScope } from '../../../shell/scope.tsx'
import { type Draft, queryOf } from './draft.ts'
import { bodyOf, requireReadable } from './read-file.ts'

export type UploadState =
  | { phase: 'idle' }
  /** `part` is the sent part of the file, from 0 to 1. */
  | { phase: 'sending'; part: number }
  /** The connection is lost, or the server asked to wait: the upload starts again by itself. */
  | { phase: 'waiting'; isOffline: boolean; retry: () => void }
  | { phase: 'failed'; error: unknown }

export type Upload = {
  state: UploadState
  /** Sends the file. Resolves to null if it failed or was stopped. */
  start: (draft: Draft, isCheck: boolean) => Promise<Import | null>
  stop: () => void
}

const retryMs = 5_000

/**
 * Uploads a file with progress. If the connection breaks, it sends the file again with the same Idempotency-Key until
 * the server answers. So the server imports the file once.
 */
export function useUpload(): Upload {
  const { orgId, mode } = useScope()
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const running = useRef<AbortController | null>(null)
  /** The import that the person stopped. The server may have the whole file already: the same file has the same key. */
  const stopped = useRef<{ draft: Draft; key: string } | null>(null)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setState({ phase: 'idle' })
  }
  useEffect(() => () => running.current?.abort(), [])

  const start = async (draft: Draft, isCheck: boolean): Promise<Import | null> => {
    running.current?.abort()
    const run = new AbortController()
    running.current = run
    const show = (next: UploadState) => running.current === run && setState(next)
    const send = guarded(fetchWithProgress((part) => show({ phase: 'sending', part })))
    const { imports } = apiFor(orgId, mode, { send })[draft.kind.resource]
    const key = stopped.current?.draft === draft ? stopped.current.key : newKey()
    const options = { idempotencyKey: key, signal: run.signal, maxRetries: 0 }
    const noteStopped = () => {
      if (!isCheck) stopped.current = { draft, key }
      return null
    }
    for (;;) {
      show({ phase: 'sending', part: 0 })
      try {
        await requireReadable(draft.file)
        const accepted = await imports.create(
          bodyOf(draft.file, draft.inspection),
          queryOf(draft, isCheck) as object,
          options,
        )
        show({ phase: 'idle' })
        return accepted
      } catch (error) {
        if (run.signal.aborted) return noteStopped()
        if (!isLost(error)) {
          stopped.current = null
          show(isCanceled(error) ? { phase: 'idle' } : { phase: 'failed', error })
          return null
        }
        const isOffline = error instanceof ConnectionError || error instanceof TimeoutError
        await untilRetry(run.signal, (retry) => show({ phase: 'waiting', isOffline, retry }))
        if (run.signal.aborted) return noteStopped()
      }
    }
  }
  return { state, start, stop }
}

/** Whether the same request may succeed later. */
const isLost = (error: unknown): boolean => error instanceof CrosswalkError && isTemporary(failureOf(error))

/** Waits until the browser is online, the person asks, or 5 s have passed while it is online. */
function untilRetry(signal: AbortSignal, show: (retry: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const retry = () => resolve()
  const timer = setInterval(() => navigator.onLine && resolve(), retryMs)
  window.addEventListener('online', retry)
  signal.addEventListener('abort', retry)
  show(retry)
  return promise.finally(() => {
    clearInterval(timer)
    window.removeEventListener('online', retry)
    signal.removeEventListener('abort', retry)
  })
}
