import { isIllegalId } from '../wire/illegal-ids.ts'

// Words that programs send as the id of everybody, besides the words that no event may have.
const sharedIds = new Set([
  'nil',
  'user',
  'userid',
  'user_id',
  'test',
  'unknown',
  'default',
  'admin',
  'void',
  '-1',
])
const lengthMax = 200

/** Whether an id may link a visitor to a person. An id that many people share would join them. */
export const isLinkable = (id: string | null): id is string =>
  id !== null && id.length <= lengthMax && !isIllegalId(id) && !sharedIds.has(id.toLowerCase())
