import type { JobRun } from './job.ts'

/** The duration of a turn in milliseconds. After that, no new step starts. */
export const turnMs = 1_000

/**
 * Runs steps of a job of an organization for a second. If steps are left, the job waits for its next turn: it would
 * keep its slot until its end otherwise, while jobs of other organizations wait.
 * @param step returns true if nothing is left. It commits its progress, because the next turn continues from there
 * @param next returns the payload of the next turn, with the place at which it continues
 * @throws the reason of the signal; an error of a step
 */
export async function runTurn<Payload>(
  { payload, signal, nextTurn }: Pick<JobRun<Payload>, 'payload' | 'signal' | 'nextTurn'>,
  step: () => Promise<boolean>,
  next: () => Payload = () => payload,
): Promise<void> {
  const until = performance.now() + turnMs
  do {
    signal.throwIfAborted()
    if (await step()) return
  } while (performance.now() < until)
  nextTurn(next())
}
