import { hash } from 'node:crypto'

/** Returns the SHA-256 of the id of a code or token. The id is the secret. */
export const hashItem = (id: string): Buffer => hash('sha256', id, 'buffer')
