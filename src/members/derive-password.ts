import { scryptSync } from 'node:crypto'

// With cost 15: as strong as N=2^17, r=8, p=1, with a quarter of the memory (OWASP Password Storage Cheat Sheet).
export const [r, p] = [8, 3] as const
export const hashBytes = 32
const maxmem = 64 * 1024 * 1024

/** A hash to compute. `cost`: log2 of scrypt's N. */
export type Task = { cost: number; password: string; salt: Uint8Array }

/** The hash of a password. With cost 15, this takes 0.3 s of a core. */
export const deriveNow = ({ cost, password, salt }: Task): Uint8Array =>
  scryptSync(password.normalize('NFKC'), salt, hashBytes, { N: 2 ** cost, r, p, maxmem })
