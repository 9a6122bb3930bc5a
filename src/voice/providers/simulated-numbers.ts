import type { CallState } from './provider.ts'

/** A state of a simulated call, and how long after dialing it is reached. */
type ScriptStep = { state: CallState; atMs: number }
/** A list with at least one element. */
type NonEmpty<Item> = readonly [Item, ...Item[]]

/**
 * How the simulator answers a dispatch. `unreached` and `refused` never ring. After `broken` and `lost`, the caller
 * does not know the outcome.
 */
export type DispatchAnswer = 'taken' | 'refused' | 'unreached' | 'broken' | 'lost'

export type Script = {
  reception: DispatchAnswer
  steps: NonEmpty<ScriptStep>
  /** `disordered`: each callback is sent twice, the second time after the next callback. */
  callbacks: 'ordered' | 'disordered' | 'none'
}

const ringMs = 2_000
const ringing: ScriptStep = { state: 'ringing', atMs: 0 }
const after = (state: CallState, atMs: number): ScriptStep => ({ state, atMs })
const answered = (ms: number): NonEmpty<ScriptStep> => [
  ringing,
  after('in_progress', ringMs),
  after('completed', ringMs + ms),
]
const acceptedScript = (steps: NonEmpty<ScriptStep>, callbacks: Script['callbacks'] = 'ordered'): Script => ({
  reception: 'taken',
  steps,
  callbacks,
})

const defaultScript = acceptedScript(answered(20_000))

/**
 * The script of each number. docs/reference/voice-providers.md has the same table. (555-0100 to 555-0199 belong to
 * nobody.)
 */
const scripts: Readonly<Record<string, Script>> = {
  '+12025550100': defaultScript,
  '+12025550101': acceptedScript([ringing, after('busy', ringMs)]),
  '+12025550102': acceptedScript([ringing, after('no_answer', 30_000)]),
  '+12025550103': acceptedScript([after('failed', ringMs)]),
  '+12025550104': acceptedScript(answered(1_000)),
  // The conversation lasts until the maximum duration of the call.
  '+12025550105': acceptedScript(answered(Number.POSITIVE_INFINITY)),
  '+12025550110': { ...defaultScript, reception: 'refused' },
  '+12025550111': { ...defaultScript, reception: 'unreached' },
  '+12025550112': { ...defaultScript, reception: 'broken' },
  '+12025550113': { ...defaultScript, reception: 'lost' },
  '+12025550114': acceptedScript(answered(20_000), 'disordered'),
  '+12025550115': acceptedScript(answered(20_000), 'none'),
}

/** The script of a number. A number outside the table gets an ordinary call. */
export const scriptOf = (to: string): Script => scripts[to] ?? defaultScript

/** The facts that determine the course of a simulated call. Times are in Unix milliseconds. */
export type DialedCall = { to: string; dialedAt: number; canceledAt: number | null; maxSeconds: number }

type TimedState = { state: CallState; at: number }

/**
 * All states of a simulated call, in order, until its maximum duration or its cancellation. Times in Unix
 * milliseconds.
 */
export function statesOf({ to, dialedAt, canceledAt, maxSeconds }: DialedCall): NonEmpty<TimedState> {
  const ends = dialedAt + ringMs + maxSeconds * 1000
  const timed = ({ state, atMs }: ScriptStep): TimedState => ({ state, at: Math.min(dialedAt + atMs, ends) })
  const [first, ...others] = scriptOf(to).steps
  const course: NonEmpty<TimedState> = [timed(first), ...others.map(timed)]
  if (canceledAt === null) return course
  const canceled: TimedState = { state: 'canceled', at: canceledAt }
  const [before, ...more] = course.filter(({ at }) => at < canceledAt)
  return before ? [before, ...more, canceled] : [canceled]
}

/** Returns the state of a call at a time, and its conversation in seconds. */
export function stateAt(
  dialed: DialedCall,
  now: number,
): { state: CallState; durationSeconds: number | null } {
  const course = statesOf(dialed).filter(({ at }) => at <= now)
  const last = course.at(-1)
  const answered = course.find(({ state }) => state === 'in_progress')
  const isOver = last !== undefined && !['ringing', 'in_progress'].includes(last.state)
  return {
    state: last?.state ?? 'queued',
    durationSeconds: isOver ? (answered ? Math.round((last.at - answered.at) / 1000) : 0) : null,
  }
}
