import { typedFields } from './defined-fields/typed-fields.ts'
import { withOwner } from './owners/owner-fields.ts'
import type { Fields, OrgDefaults } from './record-type.ts'

/**
 * The fields of a request, read with the settings and the members of the organization: defined members of `custom` in
 * their types, and the owner by id and address.
 * @throws ValidationError; DomainError not_found for an unknown owner
 */
export const resolvedFields = (fields: Fields, orgDefaults: OrgDefaults): Fields =>
  withOwner(typedFields(fields, orgDefaults), orgDefaults.owners)
