import { hash } from 'node:crypto'

/** The SHA-256 of a random token, 32 bytes. The database stores it instead of the token. */
export const sha256 = (token: string): Buffer => hash('sha256', token, 'buffer')
