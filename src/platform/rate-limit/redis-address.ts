import { isIP } from 'node:net'

export type RedisAddress = {
  host: string
  port: number
  username?: string
  password?: string
  db: number
  tls?: { servername?: string }
}

/**
 * Reads `redis://[user][:password]@host[:port][/database]`; `rediss://` means TLS.
 * @throws Error if it cannot be read; see `redisAddressFault`
 */
export function readRedisAddress(address: string): RedisAddress {
  const { protocol, hostname, port, username, password, pathname } = new URL(address)
  const host = decodeURIComponent(hostname.replace(/^\[|\]$/g, ''))
  return {
    host,
    port: port === '' ? 6379 : Number(port),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)),
    ...(protocol === 'rediss:' ? { tls: isIP(host) ? {} : { servername: host } } : {}),
  }
}

/** Why a Redis address is invalid, for the operator; null if it is valid. */
export function redisAddressFault(address: string): string | null {
  if (!/^rediss?:\/\//.test(address)) return 'must start with redis:// or rediss://'
  try {
    if (readRedisAddress(address).host === '') return 'names no host (redis://host:6379)'
  } catch {
    return 'cannot be read: in a password or name write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25 (redis://user:pass%40word@host:6379/0)'
  }
  const { pathname, search, hash } = new URL(address)
  if (!/^(\/\d{0,5})?$/.test(pathname) || search !== '' || hash !== '') {
    return 'may have the number of a database after the host, and nothing else (redis://host:6379/0)'
  }
  return null
}

/** Returns the address without its password. */
export function shownRedisAddress(address: string): string {
  const { protocol, username, host, pathname } = new URL(address)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}
