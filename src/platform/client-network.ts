import { isIP } from 'node:net'

const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.+)\]):\d+$/

/**
 * The network of a client: the whole IPv4 address, or the /64 of an IPv6 address, which belongs to one client (RFC
 * 6177). A proxy may add a port. Any value that is not an address becomes 'unknown'.
 */
export function networkOf(ip: string | undefined): string {
  const port = withPort.exec(ip ?? '')
  const address = (port?.[1] ?? port?.[2] ?? ip ?? '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  const version = isIP(mapped ?? address)
  if (version !== 6) return version === 4 ? (mapped ?? address) : 'unknown'
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail ? tail.split(':').length : 0
  if (tail !== undefined) while (groups.length < 8 - behind) groups.push('0')
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
