/** A value that somebody was told is written, or that may have been. */
export type Write = {
  value: string | null
  /** Milliseconds since 1970: when it was first sent; when its answer came, or its last try can have had an effect. */
  sentAt: number
  endAt: number
  /** False: nobody said whether it took effect. */
  acknowledged: boolean
}

/** Something that was to be made, under a nonce that no other has. */
export type Creation = { kind: string; orgId: string; nonce: string; id: string | null; isErased?: boolean }

/** An effect that leaves an event: how many were acknowledged, and how many more there may be. */
type Effect = { orgId: string; type: string; objectId: string; told: number; doubtful: number }

/** What a reader was shown, between its request and its answer. */
export type Read = { of: string; value: unknown; sentAt: number; answeredAt: number }

/**
 * Values that a reader may see of a field who asked at `sentAt` and was answered at `answeredAt`: all that were sent by
 * then, but for those that a later write had replaced, which itself was acknowledged before the reader asked.
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

/** When everything is over. */
export const inTheEnd = { sentAt: Number.POSITIVE_INFINITY, answeredAt: Number.POSITIVE_INFINITY }

/** A file that was taken: its rows are records whose names begin with the word. */
export type Import = { orgId: string; importId: string; isContacts: boolean; word: string; rows: number }

/** What clients were told: the auditor compares it with what is stored. */
export class Ledger {
  readonly creations: Creation[] = []
  /** By kind, id and field. */
  readonly writes = new Map<string, Write[]>()
  readonly reads: Read[] = []
  readonly imports: Import[] = []
  readonly effects = new Map<string, Effect>()
  /** What was wrong at once with an answer. */
  readonly faults: string[] = []
  /** The organization of each id that an answer gave. */
  readonly owners = new Map<string, string>()
  readonly #versions = new Map<string, string>()
  readonly #highest = new Map<string, number>()

  fault(text: string): void {
    this.faults.push(`${new Date().toISOString()} ${text}`)
  }

  /** Before it is sent. */
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

  /** Two answers that show one version of a thing show the same. */
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
