import type { CallOptions } from './options.ts'
import { pause, Timeout } from './timeout.ts'

/**
 * The states of unfinished work, by resource. Every other state, even an unknown one, means that the work has ended.
 */
export const pendingStates: Record<string, readonly string[]> = {
  'crm.jobs': ['queued', 'running'],
  'duplicates.merges': ['applying'],
  'duplicates.scans': ['queued', 'running'],
  imports: ['uploading', 'queued', 'running', 'reverting'],
  sandboxes: ['preparing'],
  'signatures.pushes': ['queued', 'compiling', 'installing'],
  'signatures.rollouts': ['running'],
  'voice.calls': ['dispatching', 'unknown', 'queued', 'ringing', 'in_progress'],
  'webhooks.replays': ['running'],
}

export type WaitOptions<T> = Omit<CallOptions, 'ifMatch' | 'idempotencyKey'> & {
  /** The longest time between two polls in milliseconds; 5,000 by default. The first polls come faster. */
  pollMs?: number | undefined
  /** This function is called after each poll. */
  onProgress?: ((state: T) => void) | undefined
}

/**
 * Polls an object until its work has ended, with success or failure: see its `status`.
 * @throws TimeoutError after `deadlineMs`
 */
export async function waitFor<T extends { status: string }>(
  get: (options: CallOptions) => PromiseLike<T>,
  pending: readonly string[],
  { pollMs = 5000, onProgress, deadlineMs = 0, ...options }: WaitOptions<T> = {},
): Promise<T> {
  const text = `The work has not ended within ${deadlineMs} ms (deadlineMs)`
  const deadline = new Timeout(deadlineMs, text, options.signal)
  try {
    for (let waitMs = 250; ; waitMs *= 1.5) {
      const state = await get({ ...options, signal: deadline.signal })
      onProgress?.(state)
      if (!pending.includes(state.status)) return state
      await pause(Math.min(waitMs, pollMs), deadline.signal)
    }
  } finally {
    deadline.clear(false)
  }
}
