/** The name under which the secret of an endpoint is stored. */
export const secretName = (endpointId: string): string => `webhook:${endpointId}`

/** Returns the name of the old secret. The old secret also signs until it expires. */
export const oldSecretName = (endpointId: string): string => `webhook:${endpointId}:old`
