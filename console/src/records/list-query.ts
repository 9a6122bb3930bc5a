import type { ContactSearch } from '../../../sdk/src/generated/types.ts'
import { defaultSort } from './filters/conditions.ts'
import type { ListSearch } from './list-search.ts'

/** What a list shows, as `POST /contacts/search` expects it. @param search the address of the list */
export const queryOf = ({ archived, ...search }: ListSearch) => ({
  ...recordsOf(search),
  archived: archived ?? false,
})

type Asked = Pick<ContactSearch, 'q' | 'filter' | 'segment_id'> & { sort?: string }

/** The server knows the words, filters and order of a segment that the person did not change. */
function recordsOf({ q, filter, sort, segment, edited }: ListSearch): Asked {
  if (segment !== undefined && !edited) return { segment_id: segment, ...(sort !== undefined && { sort }) }
  return {
    ...(q !== undefined && { q }),
    ...(filter !== undefined && { filter }),
    sort: sort ?? defaultSort,
  }
}
