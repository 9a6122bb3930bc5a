import { BlockList, isIP } from 'node:net'

/** Which proxies may name the client: all, none, a number of hops, or addresses separated by commas. */
export type TrustProxy = boolean | number | string

/** The networks that Fastify knows by name: https://fastify.dev/docs/latest/Reference/Server/#trustproxy */
const namedNetworks: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns whether `text` is a value of TRUST_PROXY. */
export function isTrustProxy(text: string): boolean {
  return /^(true|false|\d+)$/.test(text) || text.split(',').every(isProxy)
}

/** Returns whether a text is an address, a network such as 10.0.0.0/8, or the name of a network. */
function isProxy(text: string): boolean {
  const [address = '', bits = '32'] = text.trim().split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return Object.hasOwn(namedNetworks, text.trim()) || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax)
}

/** Reads a value of TRUST_PROXY that `isTrustProxy` accepts. */
export function readTrustProxy(value: string | undefined): TrustProxy {
  if (!value || value === '0' || value === 'false') return false
  if (value === 'true') return true
  return /^\d+$/.test(value) ? Number(value) : value
}

/** Returns a test: is the address at the other end of a connection a trusted proxy? */
export function proxyTest(setting: TrustProxy): (address: string) => boolean {
  if (typeof setting !== 'string') return () => Number(setting) > 0
  const list = new BlockList()
  for (const name of setting.split(','))
    for (const network of namedNetworks[name.trim()] ?? [name.trim()]) {
      const [address = '', bits] = network.split('/')
      list.addSubnet(address, Number(bits ?? bitsOf(address)), familyOf(address))
    }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

const bitsOf = (address: string) => (isIP(address) === 6 ? 128 : 32)
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
