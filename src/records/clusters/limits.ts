import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { fieldOf, isNamed } from '../field-names.ts'
import type { RecordType, StoredRecord } from '../record-type.ts'
import type { SentWrite } from './attribution.ts'
import type { Cluster } from './cluster.ts'
import { elementsOf, listOf, memberOf } from './facts.ts'

/** The maximum number of records in a cluster. Each write to a merged record reads all of them. */
const membersMax = 500

/**
 * The maximum number of elements that the records of a cluster have in one list. Equal elements of two records count
 * twice, and hidden ones count too: each write to a merged record reads all of them.
 */
const elementsMax = 2_000

const elementsText = elementsMax.toLocaleString('en-US')

/** Returns why a merge cannot join two clusters; null if it can. */
export const joinRefusal = (type: RecordType, cluster: Cluster, absorbed: Cluster): DomainError | null =>
  refusalAbove(elementsMax, type, cluster, absorbed)

/**
 * Returns why a redo cannot join two clusters again; null if it can. Two clusters within the limit can always be joined
 * again, although writes since the undo may have added elements.
 */
export const redoRefusal = (type: RecordType, cluster: Cluster, absorbed: Cluster): DomainError | null =>
  refusalAbove(2 * elementsMax, type, cluster, absorbed)

function refusalAbove(
  max: number,
  type: RecordType,
  cluster: Cluster,
  absorbed: Cluster,
): DomainError | null {
  const size = cluster.members.size + absorbed.members.size
  if (size > membersMax)
    return conflict(
      'merge_too_large',
      `The merged record would have ${size} ids, and may have at most ${membersMax}: merge fewer records into it`,
    )
  for (const column in type.merging.lists) {
    const count = countElements(cluster, column) + countElements(absorbed, column)
    if (count > max)
      return conflict(
        'merge_too_large',
        `The ids of the merged record would have ${count.toLocaleString('en-US')} values in ${fieldOf(type, column)}, and may have at most ${max.toLocaleString('en-US')}: merge fewer records into it`,
      )
  }
  return null
}

const countElements = ({ members }: Cluster, column: string): number =>
  members.values().reduce((sum, { lists }) => sum + (lists[column]?.length ?? 0), 0)

/**
 * Refuses a write that would give the ids of a merged record too many elements in a list. A write that does not add
 * elements is never refused.
 * @param namedId returns the id that the write names
 * @throws ValidationError with each list
 */
export function requireRoom(
  type: RecordType,
  { cluster }: StoredRecord,
  { fields, orgDefaults, add }: Omit<SentWrite, 'recordId'>,
  namedId: () => string,
): void {
  if (!cluster) return
  const sent = type.apply(null, fields, orgDefaults, false)
  const problems = Object.keys(type.merging.lists).flatMap((column) => {
    // A write of only the primary value replaces an element.
    if (!(add || isNamed(type, fields, column))) return []
    const elements = elementsOf(sent[column])
    const count = countElements(cluster, column)
    if (elements.length === 0 || count + elements.length <= elementsMax) return []
    const { keyOf } = listOf(type, column)
    const own = memberOf(cluster, namedId()).lists[column] ?? []
    const ownKeys = new Set(own.map(keyOf))
    const grown = add
      ? elements.filter((element) => !ownKeys.has(keyOf(element))).length
      : elements.length - own.length
    if (grown <= 0 || count + grown <= elementsMax) return []
    const field = fieldOf(type, column)
    const words = `the ids of this merged record have ${count.toLocaleString('en-US')} values here, and may have at most ${elementsText}: send fewer values, or undo a merge of this record`
    return [detailAt(['body', field], refuse(words))]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
