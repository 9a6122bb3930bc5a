export const providers = ['sandbox', 'salesforce', 'hubspot', 'espocrm'] as const
export type ProviderName = (typeof providers)[number]
