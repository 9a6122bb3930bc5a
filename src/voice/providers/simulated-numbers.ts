import type { CallState } from './provider.ts'

/** A state of a simulated call, and how long after dialing the call gets there. */
type Step = { state: CallState; atMs: number }
/** A list with at least one element. */
type Some<Item> = readonly [Item, ...Item[]]

/** How the simulator reacts to a dispatch. `unreached` and `refused` never ring; `broken` and `lost` are unknown to the caller. */
export type Reception = 'taken' | 'refused' | 'unreached' | 'broken' | 'lost'

export type Script = {
  reception: Reception
  steps: Some<Step>
  /** `disordered`: each callback comes twice, and once after the next one. */
  callbacks: 'ordered' | 'disordered' | 'none'
}

const ringMs = 2_000
const ringing: Step = { state: 'ringing', atMs: 0 }
const after = (state: CallState, atMs: number): Step => ({ state, atMs })
const talks = (ms: number): Some<Step> => [
  ringing,
  after('in_progress', ringMs),
  after('completed', ringMs + ms),
]
const taken = (steps: Some<Step>, callbacks: Script['callbacks'] = 'ordered'): Script => ({
  reception: 'taken',
  steps,
  callbacks,
})

const ordinary = taken(talks(20_000))

/** By number; docs/reference/voice-providers.md has this table. (555-0100 to 555-0199 belong to nobody.) */
const scripts: Readonly<Record<string, Script>> = {
  '+12025550100': ordinary,
  '+12025550101': taken([ringing, after('busy', ringMs)]),
  '+12025550102': taken([ringing, after('no_answer', 30_000)]),
  '+12025550103': taken([after('failed', ringMs)]),
  '+12025550104': taken(talks(1_000)),
  // Talks until the longest call ends.
  '+12025550105': taken(talks(Number.POSITIVE_INFINITY)),
  '+12025550110': { ...ordinary, reception: 'refused' },
  '+12025550111': { ...ordinary, reception: 'unreached' },
  '+12025550112': { ...ordinary, reception: 'broken' },
  '+12025550113': { ...ordinary, reception: 'lost' },
  '+12025550114': taken(talks(20_000), 'disordered'),
  '+12025550115': taken(talks(20_000), 'none'),
}

/** How a call to a number goes: numbers that are not in the table have an ordinary call. */
export const scriptOf = (to: string): Script => scripts[to] ?? ordinary

/** What decides the course of a simulated call; times in Unix milliseconds. */
export type Dialed = { to: string; dialedAt: number; canceledAt: number | null; maxSeconds: number }

type TimedState = { state: CallState; at: number }

/** All states of a call, with their times. */
export function courseOf({ to, dialedAt, canceledAt, maxSeconds }: Dialed): Some<TimedState> {
  const ends = dialedAt + ringMs + maxSeconds * 1000
  const timed = ({ state, atMs }: Step): TimedState => ({ state, at: Math.min(dialedAt + atMs, ends) })
  const [first, ...others] = scriptOf(to).steps
  const course: Some<TimedState> = [timed(first), ...others.map(timed)]
  if (canceledAt === null) return course
  const canceled: TimedState = { state: 'canceled', at: canceledAt }
  const [before, ...more] = course.filter(({ at }) => at < canceledAt)
  return before ? [before, ...more, canceled] : [canceled]
}

/** The state of a call at a time, and its seconds of conversation. */
export function stateAt(dialed: Dialed, now: number): { state: CallState; durationSeconds: number | null } {
  const course = courseOf(dialed).filter(({ at }) => at <= now)
  const last = course.at(-1)
  const answered = course.find(({ state }) => state === 'in_progress')
  const isOver = last !== undefined && !['ringing', 'in_progress'].includes(last.state)
  return {
    state: last?.state ?? 'queued',
    durationSeconds: isOver ? (answered ? Math.round((last.at - answered.at) / 1000) : 0) : null,
  }
}
