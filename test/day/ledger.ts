/** A value whose write was acknowledged or may have happened. */
export type Write = {
  value: string | null
  /**
   * In milliseconds since 1970: when the request was first sent, and when its answer came or its last try
   * could at latest take effect.
   */
  sentAt: number
  endAt: number
  /** False if it is unknown whether the write took effect. */
  acknowledged: boolean
}

/** A creation with a unique nonce. */
export type Creation = { kind: string; orgId: string; nonce: string; id: string | null; isErased?: boolean }

/** An effect with an event: the number of acknowledged ones, and of those that may have happened. */
type Effect = { orgId: string; type: string; objectId: string; told: number; doubtful: number }

/** The value that a read showed, with the times of its request and its answer. */
export type Read = { of: string; value: unknown; sentAt: number; answeredAt: number }

/**
 * The values of a field that a read from `sentAt` to `answeredAt` may show. These are all values sent before
 * `answeredAt`, except values that an acknowledged write had replaced before `sentAt`.
 */
export function possible(
  writes: readonly Write[],
  { sentAt, answeredAt }: Pick<Read, 'sentAt' | 'answeredAt'>,
): Set<unknown> {
  const settled = writes.filter(({ acknowledged, endAt }) => acknowledged && endAt < sentAt)
  const lastBegin = Math.max(...settled.map((write) => write.sentAt), Number.NEGATIVE_INFINITY)
  const fresh = writes.filter((write) => write.sentAt <= answeredAt && write.endAt >= lastBegin)
  return new Set(fresh.map(({ value }) => value))
}

/** A time later than all other times. */
export const inTheEnd = { sentAt: Number.POSITIVE_INFINITY, answeredAt: Number.POSITIVE_INFINITY }

/** An accepted file. Its rows are the records whose names begin with the word. */
export type Import = { orgId: string; importId: string; isContacts: boolean; word: string; rows: number }

/** What clients were told: the auditor compares it with what is stored. */
export class Ledger {
  readonly creations: Creation[] = []
  /** By kind, id and field. */
  readonly writes = new Map<string, Write[]>()
  readonly reads: Read[] = []
  readonly imports: Import[] = []
  readonly effects = new Map<string, Effect>()
  /** Errors that were visible in an answer itself. */
  readonly faults: string[] = []
  /** The organization of each id that an answer gave. */
  readonly owners = new Map<string, string>()
  /** By sandbox, the organization that made it. */
  readonly sandboxes = new Map<string, string>()
  readonly #versions = new Map<string, string>()
  readonly #highest = new Map<string, number>()

  fault(text: string): void {
    this.faults.push(`${new Date().toISOString()} ${text}`)
  }

  /** Records a creation before it is sent. */
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

  effect(orgId: string, type: string, objectId: string, told: number, doubtful: number): void {
    const name = `${type} ${objectId}`
    const effect = this.effects.get(name) ?? { orgId, type, objectId, told: 0, doubtful: 0 }
    effect.told += told
    effect.doubtful += doubtful
    this.effects.set(name, effect)
  }

  /** Checks that two answers with the same version of a thing are equal. */
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
