// A UUIDv7 begins with its time in milliseconds (RFC 9562, section 5.7).

/** Returns the time at which a UUIDv7 was made, in Unix milliseconds. */
export function timeOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/** Returns the greatest UUID below `id`. */
export function idBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the smallest UUIDv7 of a second. */
export function firstIdAt(unixSeconds: number): string {
  const hex = (unixSeconds * 1000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}
