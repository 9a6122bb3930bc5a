import { isIP } from 'node:net'

const ofIPv4 = /^::ffff:(?=\d+\.)/i
const loopback = /^(?:127\.|::1$)/

/**
 * A client address as texts show it; null if the value is none. A loopback address is no personal data: the pages of a
 * developer have it.
 */
export function readAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim().replace(ofIPv4, '').toLowerCase()
  return isIP(address) === 0 || loopback.test(address) ? null : address
}

/**
 * A text without some client addresses. The text may be JSON, because an address occurs only inside of its strings. What
 * only contains an address, such as 192.0.2.10 for 192.0.2.1, is cut too.
 */
export function withoutAddresses(text: string, addresses: readonly string[]): string {
  let cut = text
  for (const address of addresses)
    for (const form of address.includes(':') ? [address, address.toUpperCase()] : [address])
      while (cut.includes(form)) cut = cut.replaceAll(form, '')
  return cut
}
