/** The kinds of records that can be duplicates of one another. */
export const entityTypes = ['contact', 'company', 'deal'] as const

export type EntityType = (typeof entityTypes)[number]
