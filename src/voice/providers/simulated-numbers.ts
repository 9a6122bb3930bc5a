import type { CallState } from './provider.ts'

/** One state of a simulated call, and how long after dialling it is in that. */
type Step = { state: CallState; atMs: number }

/** How the simulator takes a call: `unreached` and `refused` never ring; after `broken` and `lost` nobody knows. */
export type Reception = 'taken' | 'refused' | 'unreached' | 'broken' | 'lost'

export type Script = {
  reception: Reception
  steps: readonly Step[]
  /** How its callbacks go out: as they come, each twice and behind the one that follows it, or not at all. */
  callbacks: 'usual' | 'disordered' | 'none'
}

const ringMs = 2_000
const ringing: Step = { state: 'ringing', atMs: 0 }
const after = (state: CallState, atMs: number): Step => ({ state, atMs })
const talks = (ms: number): Step[] => [ringing, after('in_progress', ringMs), after('completed', ringMs + ms)]
const taken = (steps: readonly Step[], callbacks: Script['callbacks'] = 'usual'): Script => ({
  ...{ reception: 'taken', steps, callbacks },
})

const ordinary = taken(talks(20_000))

/** By number; docs/reference/voice-providers.md has this table. (555-0100 to 555-0199 are nobody's.) */
const scripts: Readonly<Record<string, Script>> = {
  '+12025550100': ordinary,
  '+12025550101': taken([ringing, after('busy', ringMs)]),
  '+12025550102': taken([ringing, after('no_answer', 30_000)]),
  '+12025550103': taken([after('failed', ringMs)]),
  '+12025550104': taken(talks(1_000)),
  // Until the longest that a call may take.
  '+12025550105': taken(talks(Number.POSITIVE_INFINITY)),
  '+12025550110': { ...ordinary, reception: 'refused' },
  '+12025550111': { ...ordinary, reception: 'unreached' },
  '+12025550112': { ...ordinary, reception: 'broken' },
  '+12025550113': { ...ordinary, reception: 'lost' },
  '+12025550114': taken(talks(20_000), 'disordered'),
  '+12025550115': taken(talks(20_000), 'none'),
}

/** How a call to a number goes: as an ordinary one, unless the number is in the table. */
export const scriptOf = (to: string): Script => scripts[to] ?? ordinary

/** A simulated call, as far as its future depends on it; times in Unix milliseconds. */
export type Dialled = { to: string; dialledAt: number; canceledAt: number | null; maxSeconds: number }

/** All that a call goes through, with the times at which it does. */
export function courseOf({
  to,
  dialledAt,
  canceledAt,
  maxSeconds,
}: Dialled): { state: CallState; at: number }[] {
  const ends = dialledAt + ringMs + maxSeconds * 1000
  const course = scriptOf(to).steps.map(({ state, atMs }) => ({
    state,
    at: Math.min(dialledAt + atMs, ends),
  }))
  if (canceledAt === null) return course
  return [...course.filter(({ at }) => at < canceledAt), { state: 'canceled', at: canceledAt }]
}

/** What a call is at a time, and for how many seconds it was talked. */
export function stateAt(dialled: Dialled, now: number): { state: CallState; durationSeconds: number | null } {
  const course = courseOf(dialled).filter(({ at }) => at <= now)
  const last = course.at(-1)
  const answered = course.find(({ state }) => state === 'in_progress')
  const isOver = last !== undefined && !['ringing', 'in_progress'].includes(last.state)
  return {
    state: last?.state ?? 'queued',
    durationSeconds: isOver ? (answered ? Math.round((last.at - answered.at) / 1000) : 0) : null,
  }
}
