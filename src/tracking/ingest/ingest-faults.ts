import type { SystemScope } from '../../platform/db/system.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Log } from '../../platform/log.ts'
import { addCounts, type CountDelta } from '../store/counts.ts'
import { type StoredSample, writeSamples } from '../store/samples.ts'
import { hourOf } from '../store/slice.ts'
import type { DropReason, WebEventType } from '../wire/event.ts'
import { type RefusedCode, refusedCodes } from '../wire/refused.ts'
import { sampleOf } from '../wire/sample.ts'
import type { Sender } from './senders.ts'

const flushMs = 3_000

/** The key of a request, its site, and the type that its path implies. */
export type FaultSource = { sender: Sender; origin: string | undefined; type: WebEventType | null }

/**
 * Counts refused requests in memory, and keeps a sample of an event for each reason why events were not stored. Both
 * are stored every 3 s, so a process that is killed loses the last seconds. Dropped events are not counted here: their
 * counts commit with the stored events.
 */
export class IngestFaults {
  readonly #scope: SystemScope
  readonly #log: Log
  /** Each key has at most one entry for each reason. */
  #refused = new Map<string, CountDelta>()
  #samples = new Map<string, StoredSample>()
  #timer: NodeJS.Timeout | null = null

  constructor(scope: SystemScope, log: Log) {
    this.#scope = scope
    this.#log = log
  }

  /** Keeps a sample of a dropped event, unless the event was dropped because its visitor refused analytics. */
  noteDropped(source: FaultSource, reason: DropReason, raw: unknown): void {
    if (reason !== 'analytics_denied') this.#sample(source, reason, raw)
  }

  /** Counts a request that was refused with an error that its sender can correct or repeat. Other errors are ignored. */
  noteRefused(source: FaultSource, error: unknown): void {
    const code = refusedCodeOf(error)
    if (code === null) return
    const { orgId, mode, keyId } = source.sender
    const hourMs = hourOf(Date.now())
    const name = `${keyId} ${orgId} ${mode} ${hourMs} ${code}`
    const known = this.#refused.get(name)
    if (known) known.n += 1
    else this.#refused.set(name, { orgId, mode, hourMs, keyId, outcome: code, n: 1 })
    this.#sample(source, code, undefined)
  }

  #sample({ sender, origin, type }: FaultSource, reason: string, raw: unknown): void {
    const { orgId, mode, keyId } = sender
    const name = `${keyId} ${orgId} ${mode} ${reason}`
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
    // One sample in 3 s is enough: reading every bad event would take too long.
    if (this.#samples.has(name)) return
    this.#samples.set(name, { orgId, mode, keyId, reason, at: Date.now(), ...sampleOf(raw, type, origin) })
  }

  /** Stores the pending counts and samples. Logs a failure. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const [refused, samples] = [[...this.#refused.values()], [...this.#samples.values()]]
    this.#refused = new Map()
    this.#samples = new Map()
    if (samples.length === 0) return
    await this.#scope
      .transact(async (tx) => {
        await addCounts(tx, refused)
        await writeSamples(tx, samples)
      })
      .catch((error) =>
        this.#log.warn({ err: error }, 'refused requests of tracking clients were not counted'),
      )
  }
}

function refusedCodeOf(error: unknown): RefusedCode | null {
  if (!(error instanceof DomainError)) return null
  return refusedCodes.find((code) => code === error.code) ?? null
}
