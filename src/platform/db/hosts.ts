import { Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { ClientBase } from 'pg'
import { hostAndPort } from '../host-and-port.ts'
import { DatabaseUnavailable } from './errors.ts'
import { streamOf } from './silence.ts'

/** A server that accepts no connection within this time counts as unreachable. */
const acceptMs = 1_500

export type Host = { host: string; port: number }

/**
 * The servers of one replicated database, of which one is the primary. All connections of an address share the choice:
 * a connection goes to the server that was the primary last. If that server is unreachable, or is a standby now, the next
 * connection goes to the next server.
 */
export class Hosts {
  readonly all: readonly Host[]
  #current: Host
  readonly #unproved = new Map<string, HostSocket>()

  constructor(all: readonly [Host, ...Host[]]) {
    this.all = all
    this.#current = all[0]
  }

  /** A socket that connects to the current server. It ignores the address in a call of `connect`. */
  socket(): Socket {
    const host = this.#current
    const socket = new HostSocket(host)
    socket.once('connect', () => this.#unproved.set(placeOf(socket), socket))
    socket.once('close', () => {
      this.#unproved.delete(socket.place)
      if (!socket.isProved) this.#leave(host)
    })
    return socket
  }

  /**
   * Checks that a new connection leads to the primary.
   * @throws DatabaseUnavailable if it leads to a standby
   */
  async requirePrimary(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    const place = placeOf(streamOf(client))
    const socket = this.#unproved.get(place)
    if (rows[0]?.standby) {
      const standby = hostAndPort(socket?.host ?? this.#current)
      throw new DatabaseUnavailable(
        `${standby} is a standby, and no primary among the servers of DATABASE_URL is known`,
      )
    }
    if (socket) socket.isProved = true
    this.#unproved.delete(place)
  }

  /** Accepts the certificate of each server of the address. It checks what `tls.checkServerIdentity` checks. */
  checkIdentity(certificate: PeerCertificate): Error | undefined {
    const faults = this.all.map(({ host }) => checkServerIdentity(host, certificate))
    return faults.includes(undefined) ? undefined : faults[0]
  }

  #leave(host: Host): void {
    if (this.#current !== host) return
    const next = this.all[(this.all.indexOf(host) + 1) % this.all.length]
    if (next) this.#current = next
  }
}

class HostSocket extends Socket {
  readonly host: Host
  /** Whether the connection led to the primary. */
  isProved = false
  place = ''

  constructor(host: Host) {
    super()
    this.host = host
  }

  override connect(): this {
    const timer = setTimeout(() => {
      this.destroy(
        Object.assign(new Error(`connect ETIMEDOUT ${hostAndPort(this.host)}`), { code: 'ETIMEDOUT' }),
      )
    }, acceptMs)
    this.once('connect', () => {
      clearTimeout(timer)
      this.place = placeOf(this)
    }).once('close', () => clearTimeout(timer))
    return super.connect(this.host)
  }
}

/** Returns a text that is the same for a socket and for the TLS connection over it. */
const placeOf = ({ localPort, remoteAddress, remotePort }: Socket) =>
  `${localPort} ${remoteAddress} ${remotePort}`

const hostsOfAddress = new Map<string, Hosts>()

/**
 * The servers of an address with several hosts (`postgres://one:5432,two:5432/crosswalk`), and the address with the
 * first of them; null: the address has one host.
 */
export function hostsOf(url: string): { hosts: Hosts; first: string } | null {
  const [, before, list, after] = /^([^:/?#]+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/s.exec(url) ?? []
  if (before === undefined || list === undefined || after === undefined) return null
  const all = list.split(',').map(readHost)
  const hosts = hostsOfAddress.get(url) ?? new Hosts(all as [Host, ...Host[]])
  hostsOfAddress.set(url, hosts)
  return { hosts, first: `${before}${list.slice(0, list.indexOf(','))}${after}` }
}

/** @throws TypeError */
function readHost(text: string): Host {
  const { hostname, port } = new URL(`postgres://${text}/`)
  if (hostname === '') throw new TypeError('A host has no name')
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}
