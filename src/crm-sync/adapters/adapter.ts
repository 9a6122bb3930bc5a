/** What a person becomes in the CRM. */
export type Kind = 'lead' | 'contact'

/** A person to push. */
export type Person = {
  /** Our id of the person, a UUID, which is the same in every push. The CRM keeps it in a field of its own. */
  key: string
  /** Our ids of contacts that this one absorbed. The CRM may have the person under one of these. */
  otherKeys?: readonly string[]
  /** The CRM's id of the person, if it is known. */
  externalId: string | null
  email: string | null
  /** By the names of the CRM's fields; null clears a field. */
  values: Readonly<Record<string, unknown>>
}

/** What the CRM did with a person. Messages are the CRM's words, for people. */
export type RowOutcome =
  | {
      outcome: 'created' | 'updated'
      externalId: string
      /** The CRM had the record before any push: it had no id of ours. */
      preexisting?: boolean
    }
  | {
      outcome: 'failed'
      message: string
      /** The CRM refused the person as a duplicate of another record. A push of that record may remove the reason. */
      isDuplicate?: boolean
      /** The person was not sent, because the CRM refused too many others. */
      isUntried?: boolean
    }

/** A field of a CRM's object, as the CRM describes it. */
export type CrmField = {
  name: string
  /** The CRM creates no record without it. */
  required: boolean
  writable: boolean
}

/**
 * The code for one CRM's vendor, with the credentials of one connection. Each vendor has a class of this shape. Every
 * method may throw Unavailable or AccessRefused. No message contains a secret.
 */
export type Adapter = {
  /** The most people of one `upsert`. */
  readonly batchSize: number
  /**
   * The values by which the CRM's duplicate rules may match two people. People who share one are never sent at the same
   * time, because the rules only compare with stored records. Empty if the CRM itself keeps people apart.
   */
  duplicateKeys(person: Person): readonly string[]
  /**
   * The fields of an object. `keyField` is the one that keeps our id.
   * @throws Unusable if the object does not exist, or may not be written
   */
  describe(kind: Kind): Promise<{ fields: CrmField[]; keyField: string }>
  /** What to change in the CRM before `upsert` can work; empty: nothing. */
  problems(kind: Kind): Promise<string[]>
  /**
   * Creates the people whose key the CRM does not have, and updates the others. Outcomes are in the order of `people`. It
   * can be repeated after any failure: the CRM, or a search before, finds a person by key.
   * @throws BatchRefused if the CRM refuses all because of some; Unusable
   */
  upsert(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]>
}

/** The CRM does not answer now. The request may have taken effect. */
export class Unavailable extends Error {
  override name = 'Unavailable'
  /** Seconds that the CRM asks to wait. */
  readonly afterSeconds: number | undefined
  constructor(message: string, afterSeconds?: number) {
    super(message)
    this.afterSeconds = afterSeconds
  }
}

/** The CRM refuses the credentials: a person has to change the connection. */
export class AccessRefused extends Error {
  override name = 'AccessRefused'
}

/** A person has to change something in the CRM or in the connection before a push can work. The message says what. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** The CRM refused a whole batch, and wrote nothing of it. Smaller batches show which people are at fault. */
export class BatchRefused extends Error {
  override name = 'BatchRefused'
}
