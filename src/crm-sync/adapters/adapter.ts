/** What people become there. */
export type Kind = 'lead' | 'contact'

/** A person to be pushed. */
export type Person = {
  /** Our id of the person there, which is the same in every push: a UUID. The CRM keeps it in a field of its own. */
  key: string
  /** Our ids of others whom they absorbed: what the CRM has under one of these is theirs as well. */
  otherKeys?: readonly string[]
  /** Their id of the person, where one is known. */
  externalId: string | null
  email: string | null
  /** By the names of their fields; null clears. */
  values: Readonly<Record<string, unknown>>
}

/** What became of a person; messages are the CRM's, for people. */
export type RowOutcome =
  | {
      outcome: 'created' | 'updated'
      externalId: string
      /** The CRM had them before any push, of which nobody may have heard: they had no id of ours. */
      wasThere?: boolean
    }
  | {
      outcome: 'failed'
      message: string
      /** The CRM holds them for somebody that it has: once that one is as we know them, it may not any more. */
      isDuplicate?: boolean
      /** The person was not sent, because the CRM refused too many others. */
      isUntried?: boolean
    }

/** A field of a CRM's object, as the CRM describes it. */
export type CrmField = {
  name: string
  /** Nothing is created without it. */
  required: boolean
  writable: boolean
}

/**
 * A way to one CRM, with one connection's credentials. Every method may throw Unavailable or AccessRefused; no message
 * holds a secret.
 */
export type Adapter = {
  /** Most people that one `upsert` takes. */
  readonly batchSize: number
  /**
   * The values by which the CRM's duplicate rules may match two people. People who share one are never sent at the same
   * time: the rules only compare with records that are stored. Missing: the CRM itself keeps people apart.
   */
  readonly likenesses?: (person: Person) => readonly string[]
  /**
   * The fields of an object, our own id's among them under the name that `keyField` says.
   * @throws Unusable if there is no such object, or it may not be written
   */
  describe(kind: Kind): Promise<{ fields: CrmField[]; keyField: string }>
  /** What is missing for `upsert` to work: words that say what to do there; empty: nothing. */
  problems(kind: Kind): Promise<string[]>
  /**
   * Creates those that the CRM has nobody with their key for, and updates the others; in the order of `people`. It may be
   * repeated after any failure: a person is created once, as the CRM itself, or a look-up before, finds them by key.
   * @throws BatchRefused if the CRM refuses all for what one may have; Unusable
   */
  upsert(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]>
}

/** The CRM cannot be asked, or does not answer, now; what was asked may have happened all the same. */
export class Unavailable extends Error {
  override name = 'Unavailable'
  /** How long it wants to be left alone, in seconds. */
  readonly afterSeconds: number | undefined
  constructor(message: string, afterSeconds?: number) {
    super(message)
    this.afterSeconds = afterSeconds
  }
}

/** The CRM does not take the credentials, or no longer does: somebody has to see to the connection. */
export class AccessRefused extends Error {
  override name = 'AccessRefused'
}

/** Nothing can be pushed before something is changed there, or in the connection; says what. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** A batch was refused as a whole, and nothing of it happened: fewer at once tell whose fault it is. */
export class BatchRefused extends Error {
  override name = 'BatchRefused'
}
