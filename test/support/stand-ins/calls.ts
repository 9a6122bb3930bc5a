/** The course of a call in vendor-neutral words. Each stand-in translates them into its vendor's words. */
export type Stage =
  | 'queued'
  | 'ringing'
  | 'in_progress'
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'failed'
  | 'canceled'

export type Course = readonly { at: number; stage: Stage }[]

/** Milliseconds after the call was accepted. */
export const courses = {
  completed: [
    { at: 1_000, stage: 'ringing' },
    { at: 5_000, stage: 'in_progress' },
    { at: 25_000, stage: 'completed' },
  ],
  busy: [
    { at: 1_000, stage: 'ringing' },
    { at: 3_000, stage: 'busy' },
  ],
  no_answer: [
    { at: 1_000, stage: 'ringing' },
    { at: 61_000, stage: 'no_answer' },
  ],
  failed: [{ at: 1_000, stage: 'failed' }],
} satisfies Record<string, Course>

export type StandInCall<Details> = {
  /** The vendor's id. */
  id: string
  /** Crosswalk's id of the call, if the vendor received it. */
  callId: string | null
  to: string
  from: string
  createdAt: number
  answeredAt: number | null
  endedAt: number | null
  stage: Stage
  details: Details
}

export type Callback = {
  url: string
  headers: Record<string, string>
  body: string
  stage: Stage
  /** The status of the answer; null if the callback was held back or not answered. */
  status: number | null
}

/** The callbacks of a call; null if the call has none. */
export type Told = Pick<Callback, 'url' | 'headers' | 'body'> | null

const isOver = (stage: Stage) => !['queued', 'ringing', 'in_progress'].includes(stage)

/** The calls of a stand-in. A test moves its clock. The stand-in counts how often each call was dialed. */
export class StandInCalls<Details> {
  now = 0
  /** The course of the next calls. */
  course: Course = courses.completed
  readonly all: StandInCall<Details>[] = []
  /** Every callback, in the order in which the vendor makes them. */
  readonly callbacks: Callback[] = []
  /** True if callbacks are stored instead of sent, so that the test can send them. */
  holdsCallbacks = false
  readonly #due: { at: number; call: StandInCall<Details>; stage: Stage }[] = []
  readonly #tell: (call: StandInCall<Details>) => Told

  constructor(tell: (call: StandInCall<Details>) => Told) {
    this.#tell = tell
    this.reset()
  }

  /** Forgets all calls, and sets the clock to the present time. */
  reset(): void {
    for (const list of [this.all, this.callbacks, this.#due]) list.length = 0
    this.now = Date.now()
    this.course = courses.completed
    this.holdsCallbacks = false
  }

  /** Dials. */
  dial(call: Pick<StandInCall<Details>, 'id' | 'callId' | 'to' | 'from' | 'details'>): StandInCall<Details> {
    const dialed: StandInCall<Details> = {
      ...call,
      ...{ createdAt: this.now, answeredAt: null, endedAt: null, stage: 'queued' },
    }
    this.all.push(dialed)
    this.#due.push(...this.course.map(({ at, stage }) => ({ at: this.now + at, call: dialed, stage })))
    return dialed
  }

  /** How often a call with a Crosswalk id was dialed. */
  dialsOf(callId: string): number {
    return this.all.filter((call) => call.callId === callId).length
  }

  find(id: string): StandInCall<Details> | undefined {
    return this.all.find((call) => call.id === id)
  }

  /** Moves the clock, and performs all due changes and callbacks in order. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms
    for (;;) {
      const next = this.#due.sort((a, b) => a.at - b.at)[0]
      if (!next || next.at > end) break
      this.#due.shift()
      this.now = Math.max(this.now, next.at)
      await this.move(next.call, next.stage)
    }
    this.now = end
  }

  /** Moves a call forward, unless it has ended. */
  async move(call: StandInCall<Details>, stage: Stage): Promise<void> {
    if (isOver(call.stage)) return
    call.stage = stage
    if (stage === 'in_progress') call.answeredAt = this.now
    if (isOver(stage)) call.endedAt = this.now
    const told = this.#tell(call)
    if (told === null) return
    const callback: Callback = { ...told, stage, status: null }
    this.callbacks.push(callback)
    if (!this.holdsCallbacks) await this.send(callback)
  }

  /** Sends a callback, which may have been sent before. */
  async send(callback: Callback): Promise<void> {
    const { url, headers, body } = callback
    callback.status = await fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => null,
    )
  }
}
