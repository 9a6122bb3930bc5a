import type { Endpoint } from '../platform/http/endpoint.ts'
import { recordEndpoints } from '../records/routes.ts'
import { contacts } from './contacts.ts'
import { type EraseContacts, eraseRelatedData } from './erasure.ts'

/**
 * @param elsewhere the erasing function of each other feature that stores data about contacts; an erasure runs them in
 * its transaction
 */
export const contactEndpoints = (elsewhere: readonly EraseContacts[]): Endpoint[] =>
  recordEndpoints({
    ...contacts,
    erase: (tx, stored, contactIds) => eraseRelatedData(tx, stored, contactIds, elsewhere),
  })
