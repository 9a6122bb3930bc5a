/** The filter of the visitors, in the form of the address. */
export type VisitorFilters = { user?: string | undefined }

export const readVisitorFilters = ({ user }: Record<string, unknown>): VisitorFilters => ({
  // The router reads a user id of digits as a number.
  user: typeof user === 'string' || typeof user === 'number' ? String(user) || undefined : undefined,
})
