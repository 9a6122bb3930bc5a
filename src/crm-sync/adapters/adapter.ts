/** The type of the record that a person becomes in the CRM. */
export type Kind = 'lead' | 'contact'

export type Person = {
  /** Our id of the person, a UUID. Every push sends the same id. The CRM stores it in a separate field. */
  key: string
  /** Our ids of contacts that this person absorbed. The CRM may have the person under one of these ids. */
  otherKeys?: readonly string[]
  /** The CRM's id of the person, if it is known. */
  externalId: string | null
  email: string | null
  /** The values by the names of the CRM's fields. null clears a field. */
  values: Readonly<Record<string, unknown>>
}

/** The CRM's result for a person. Messages are texts of the CRM, for people. */
export type RowOutcome =
  | {
      outcome: 'created' | 'updated'
      externalId: string
      /** True if the CRM had the record before any push, without an id of ours. */
      preexisting?: boolean
    }
  | {
      outcome: 'failed'
      message: string
      /** True if the CRM refused the person as a duplicate of another record. */
      isDuplicate?: boolean
      /** True if the person was not sent, because the CRM refused too many others. */
      isUntried?: boolean
    }

export type CrmField = {
  name: string
  /** True if the CRM creates no record without the field. */
  required: boolean
  writable: boolean
}

/**
 * The code for one CRM vendor, with the credentials of one connection. Every method may throw
 * Unavailable or AccessRefused. No message contains a secret.
 */
export type Adapter = {
  readonly batchSize: number
  /**
   * The values by which the CRM's duplicate rules may match two people. People who share a value
   * are never sent at the same time: the rules see only stored records. Empty if the CRM itself
   * prevents duplicates.
   */
  duplicateKeys(person: Person): readonly string[]
  /**
   * Reads the fields of an object. `keyField` stores our id.
   * @throws Unusable if the object does not exist, or may not be written
   */
  describe(kind: Kind): Promise<{ fields: CrmField[]; keyField: string }>
  /** The changes that the CRM needs before `upsert` can work; empty if it needs none. */
  problems(kind: Kind): Promise<string[]>
  /**
   * Creates the people whose key the CRM does not have, and updates the others. A repeated call
   * creates nobody twice.
   * @returns outcomes in the order of `people`
   * @throws BatchRefused if the CRM refuses the batch because of some people; Unusable
   */
  upsert(kind: Kind, people: readonly Person[], signal: AbortSignal): Promise<RowOutcome[]>
}

/** The CRM does not answer now. The request may have taken effect. */
export class Unavailable extends Error {
  override name = 'Unavailable'
  /** The number of seconds that the CRM asks to wait. */
  readonly afterSeconds: number | undefined
  constructor(message: string, afterSeconds?: number) {
    super(message)
    this.afterSeconds = afterSeconds
  }
}

/** The CRM refuses the credentials. A person must change the connection. */
export class AccessRefused extends Error {
  override name = 'AccessRefused'
}

/** A person must change something in the CRM or in the connection before a push can work. The message says what to change. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** The CRM refused a whole batch, and stored no part of it. Smaller batches show which people cause the refusal. */
export class BatchRefused extends Error {
  override name = 'BatchRefused'
}
