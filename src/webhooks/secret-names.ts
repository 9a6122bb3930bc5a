/** The name under which the secret of an endpoint is stored. */
export const secretName = (endpointId: string): string => `webhook:${endpointId}`

/** The name of the old secret, which also signs until it expires. */
export const oldSecretName = (endpointId: string): string => `webhook:${endpointId}:old`
