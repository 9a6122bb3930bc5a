/** The kind of record that a person becomes in the CRM. */
export type CrmKind = 'lead' | 'contact'

export type CrmPerson = {
  /**
   * Crosswalk's id of the person, a UUID, which the CRM stores in a field of its own. Every push sends the same id.
   */
  key: string
  /** Crosswalk's ids of contacts that this person absorbed. The CRM may know the person by one of them. */
  otherKeys?: readonly string[]
  /** The CRM's id of the person, if it is known. */
  externalId: string | null
  email: string | null
  /** The values by the names of the CRM's fields. null clears a field. */
  values: Readonly<Record<string, unknown>>
}

/** The CRM's result for a person. Messages are the CRM's texts for people. */
export type RowOutcome =
  | {
      outcome: 'created' | 'updated'
      externalId: string
      /** Whether the CRM had the record before any push, without Crosswalk's id. */
      preexisting?: boolean
    }
  | {
      outcome: 'failed'
      message: string
      /** Whether the CRM refused the person as a duplicate of another record. */
      isDuplicate?: boolean
      /** Whether the person was not sent, because the CRM had refused too many others. */
      isUntried?: boolean
    }

/** The values that a CRM field accepts. Other fields accept text, or values that only the CRM can check. */
export type CrmValues = 'number' | 'boolean' | 'date' | 'datetime'

export type CrmField = {
  name: string
  values?: CrmValues | undefined
  /** Whether the CRM requires the field for a new record. */
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
   * The values by which the CRM's duplicate rules may match two people. People with a common value are never sent at
   * the same time, because the rules see only stored records. Empty if the CRM itself prevents duplicates.
   */
  duplicateKeys(person: CrmPerson): readonly string[]
  /**
   * Reads the fields of an object. `keyField` stores Crosswalk's id.
   * @throws CrmSetupError if the object does not exist, or may not be written
   */
  describe(kind: CrmKind): Promise<{ fields: CrmField[]; keyField: string }>
  /** The changes that the CRM needs before `upsert` can work; empty if it needs none. */
  problems(kind: CrmKind): Promise<string[]>
  /**
   * Creates the people whose key the CRM does not have, and updates the others. A repeated call creates nobody twice.
   * @returns outcomes in the order of `people`
   * @throws BatchRefused if the CRM refuses the batch because of some people; CrmSetupError
   */
  upsert(kind: CrmKind, people: readonly CrmPerson[], signal: AbortSignal): Promise<RowOutcome[]>
}

/** The CRM does not answer now. It may still have carried out the request. */
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
export class CrmSetupError extends Error {
  override name = 'CrmSetupError'
}

/** The CRM refused a whole batch and stored none of it. Smaller batches show which people are the cause. */
export class BatchRefused extends Error {
  override name = 'BatchRefused'
}
