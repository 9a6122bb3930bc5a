/** The stages of a call. Each stand-in translates them into its vendor's terms. */
export type Stage =
  | 'queued'
  | 'ringing'
  | 'in_progress'
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'failed'
  | 'canceled'

export type StageSchedule = readonly { at: number; stage: Stage }[]

/** Times are in milliseconds after the call was accepted. */
export const stageSchedules = {
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
} satisfies Record<string, StageSchedule>

export type StandInCall<Details> = {
  id: string
  /** null for a vendor that does not get the id. */
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
  /** The status of the answer; null if there was none. */
  status: number | null
}

/** The callback of a stage; null if the call has no callbacks. */
export type CallbackToSend = Pick<Callback, 'url' | 'headers' | 'body'> | null

const isOver = (stage: Stage) => !['queued', 'ringing', 'in_progress'].includes(stage)

export class StandInCalls<Details> {
  now = 0
  course: StageSchedule = stageSchedules.completed
  readonly all: StandInCall<Details>[] = []
  /** The callbacks in the order in which the vendor sends them. */
  readonly callbacks: Callback[] = []
  /** Whether callbacks are kept until the test sends them. */
  holdsCallbacks = false
  readonly #due: { at: number; call: StandInCall<Details>; stage: Stage }[] = []
  readonly #tell: (call: StandInCall<Details>) => CallbackToSend

  constructor(tell: (call: StandInCall<Details>) => CallbackToSend) {
    this.#tell = tell
    this.reset()
  }

  /** Sets the clock to the present time. */
  reset(): void {
    for (const list of [this.all, this.callbacks, this.#due]) list.length = 0
    this.now = Date.now()
    this.course = stageSchedules.completed
    this.holdsCallbacks = false
  }

  dial(call: Pick<StandInCall<Details>, 'id' | 'callId' | 'to' | 'from' | 'details'>): StandInCall<Details> {
    const dialed: StandInCall<Details> = {
      ...call,
      ...{ createdAt: this.now, answeredAt: null, endedAt: null, stage: 'queued' },
    }
    this.all.push(dialed)
    this.#due.push(...this.course.map(({ at, stage }) => ({ at: this.now + at, call: dialed, stage })))
    return dialed
  }

  dialsOf(callId: string): number {
    return this.all.filter((call) => call.callId === callId).length
  }

  find(id: string): StandInCall<Details> | undefined {
    return this.all.find((call) => call.id === id)
  }

  /** Performs due changes and callbacks in order. */
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

  /** Moves a call to a stage. An ended call does not change. */
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

  /** Sends a callback. The same callback can be sent again. */
  async send(callback: Callback): Promise<void> {
    const { url, headers, body } = callback
    callback.status = await fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => null,
    )
  }
}
