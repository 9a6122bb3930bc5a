import type { Org } from './db/org.ts'

export type ReadObject = {
  /** The object as JSON text. */
  json: string
  /** The id of the canonical record, if the object was merged into another one. */
  mergedInto: string | null
}

/**
 * Reads objects of one kind (`contact`, `crm_job`) without a permission check. Deleted and erased
 * objects are not in the result.
 */
export type ReadObjects = (
  org: Org,
  object: string,
  objectIds: readonly string[],
) => Promise<ReadonlyMap<string, ReadObject>>

/** Returns the records that are in a segment now; null: the filter of the segment is not valid any more. */
export type ReadMembers = (
  org: Org,
  segmentId: string,
  recordType: string,
  recordIds: readonly string[],
) => Promise<ReadonlySet<string> | null>
