/** The record types, in the order in which lists show them. */
export const entityTypes = ['contact', 'company', 'deal'] as const

export type EntityType = (typeof entityTypes)[number]
