import { isIP, isIPv4 } from 'node:net'

/**
 * Networks that are not public, grouped by purpose (IANA special-purpose address registries for IPv4 and IPv6, RFC 6890
 * and its updates).
 */
const special4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Public in the registries, but inside of Azure it is the agent of the machine's host.
  '168.63.129.16/32',
].map(network)

/** These networks are inside 2000::/3. No address outside of 2000::/3 is public. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(network)
const global6 = network('2000::/3')
/**
 * IPv6 addresses that contain an IPv4 address: mapped addresses (RFC 4291 2.5.5.2) and NAT64 addresses (RFC 6052).
 */
const ipv4InIpv6 = ['::ffff:0:0/96', '64:ff9b::/96'].map(network)

type Network = { bits: bigint; length: number; width: number }

/** Returns whether the text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  if (isIP(plain) === 0) return false
  const bits = bitsOf(plain)
  if (isIPv4(plain)) return isPublic4(bits)
  if (ipv4InIpv6.some((each) => isInNetwork(bits, each))) return isPublic4(bits & 0xffff_ffffn)
  return isInNetwork(bits, global6) && !special6.some((each) => isInNetwork(bits, each))
}

const isPublic4 = (bits: bigint) => !special4.some((each) => isInNetwork(bits, each))

function network(text: string): Network {
  const [address = '', length = ''] = text.split('/')
  return { bits: bitsOf(address), length: Number(length), width: isIPv4(address) ? 32 : 128 }
}

function isInNetwork(bits: bigint, { bits: start, length, width }: Network): boolean {
  const shift = BigInt(width - length)
  return bits >> shift === start >> shift
}

/** Returns an address as a number. */
function bitsOf(address: string): bigint {
  if (isIPv4(address)) return joinBits(address.split('.').map(BigInt), 8n)
  // The last 32 bits may be written as an IPv4 address.
  const hex = address.replace(/\d+(?:\.\d+){3}$/, (tail) => {
    const low = bitsOf(tail)
    return `${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`
  })
  const [left = '', right] = hex.split('::')
  const groups = [left, right ?? ''].map((side) => side.split(':').filter((group) => group !== ''))
  const [before = [], after = []] = groups
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return joinBits(
    [...before, ...zeros, ...after].map((group) => BigInt(`0x${group}`)),
    16n,
  )
}

function joinBits(parts: bigint[], width: bigint): bigint {
  return parts.reduce((sum, part) => (sum << width) | part, 0n)
}
