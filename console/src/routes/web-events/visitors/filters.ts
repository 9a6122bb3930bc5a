import { textIn } from '../../../routing/search-text.ts'

/** The filter of the visitors, in the form of the address. */
export type VisitorFilters = { user?: string | undefined }

export const readVisitorFilters = ({ user }: Record<string, unknown>): VisitorFilters => ({
  user: textIn(user),
})
