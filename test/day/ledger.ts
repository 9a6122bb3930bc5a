/** A written value. */
export type Write = {
  value: string | null
  /** In milliseconds since 1970: the first try, and the answer or the latest possible effect. */
  sentAt: number
  endAt: number
  /** Whether the server acknowledged the write. Otherwise its effect is unknown. */
  acknowledged: boolean
}

/** A request that creates an object. The object contains a unique nonce, by which it is found. */
export type Creation = { kind: string; orgId: string; nonce: string; id: string | null; isErased?: boolean }

/** The number of effects that must have an event. `doubtful`: effects that may have happened, and are not acknowledged. */
type Effect = { orgId: string; type: string; objectId: string; acknowledged: number; doubtful: number }

/** The value that a read showed, and the times of request and answer. */
export type Read = { of: string; value: unknown; sentAt: number; answeredAt: number }

/**
 * The values that a read may show: all values that were sent before `answeredAt`, except values that an
 * acknowledged write replaced before `sentAt`.
 */
export function possibleValues(
  writes: readonly Write[],
  { sentAt, answeredAt }: Pick<Read, 'sentAt' | 'answeredAt'>,
): Set<unknown> {
  const settled = writes.filter(({ acknowledged, endAt }) => acknowledged && endAt < sentAt)
  const lastBegin = Math.max(...settled.map((write) => write.sentAt), Number.NEGATIVE_INFINITY)
  const fresh = writes.filter((write) => write.sentAt <= answeredAt && write.endAt >= lastBegin)
  return new Set(fresh.map(({ value }) => value))
}

export const inTheEnd = { sentAt: Number.POSITIVE_INFINITY, answeredAt: Number.POSITIVE_INFINITY }

/** An accepted file. `mayBeCanceled`: somebody asked to cancel it, so that later rows may be missing. */
export type Import = {
  orgId: string
  importId: string
  isContacts: boolean
  word: string
  rows: number
  mayBeCanceled?: boolean
}

/**
 * An acknowledged web event. `erasure` is the state of its visitor's erasure; `asked` means sent, but not
 * acknowledged.
 */
export type WebEventSent = { orgId: string; messageKey: string; erasure: 'none' | 'asked' | 'done' }

/** The answers that clients got. The auditor compares them with the stored data. */
export class Ledger {
  readonly creations: Creation[] = []
  readonly writes = new Map<string, Write[]>()
  readonly reads: Read[] = []
  readonly imports: Import[] = []
  readonly webEvents: WebEventSent[] = []
  readonly effects = new Map<string, Effect>()
  readonly faults: string[] = []
  /** The organization of each id in an answer. */
  readonly owners = new Map<string, string>()
  readonly sandboxes = new Map<string, string>()
  readonly #versions = new Map<string, string>()
  readonly #highest = new Map<string, number>()

  fault(text: string): void {
    this.faults.push(`${new Date().toISOString()} ${text}`)
  }

  begin(kind: string, orgId: string, nonce: string): Creation {
    const creation: Creation = { kind, orgId, nonce, id: null }
    this.creations.push(creation)
    return creation
  }

  acknowledge(creation: Creation, id: string | number): void {
    creation.id = String(id)
    this.owners.set(creation.id, creation.orgId)
  }

  write(kind: string, id: string | number, field: string, write: Write): void {
    const name = `${kind} ${id} ${field}`
    const writes = this.writes.get(name)
    if (writes) writes.push(write)
    else this.writes.set(name, [write])
  }

  effect(orgId: string, type: string, objectId: string, acknowledged: number, doubtful: number): void {
    const name = `${type} ${objectId}`
    const effect = this.effects.get(name) ?? { orgId, type, objectId, acknowledged: 0, doubtful: 0 }
    effect.acknowledged += acknowledged
    effect.doubtful += doubtful
    this.effects.set(name, effect)
  }

  /** Checks that two answers with the same version of an object are equal. */
  version(kind: string, id: string, version: number, shown: string): void {
    const name = `${kind} ${id} ${version}`
    const before = this.#versions.get(name)
    if (before === undefined) this.#versions.set(name, shown)
    else if (before !== shown)
      this.fault(`version ${version} of ${kind} ${id} was shown as two: ${before} and ${shown}`)
    const highest = this.#highest.get(`${kind} ${id}`) ?? 0
    if (version > highest) this.#highest.set(`${kind} ${id}`, version)
  }

  highestVersion(kind: string, id: string): number {
    return this.#highest.get(`${kind} ${id}`) ?? 0
  }
}
