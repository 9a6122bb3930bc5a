let addresses = 0

/** A client address that no other client of this process has, so that they do not share a rate limit. */
export function newAddress(): string {
  addresses += 1
  return `10.30.${addresses >> 8}.${addresses & 255}`
}

/** The header in which a proxy names a new client address. It counts only if the server trusts its proxy. */
export const fromNewAddress = (): { 'x-forwarded-for': string } => ({ 'x-forwarded-for': newAddress() })
