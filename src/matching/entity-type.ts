export const entityTypes = ['contact', 'company', 'deal'] as const

export type EntityType = (typeof entityTypes)[number]
