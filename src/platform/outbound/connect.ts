import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { AddressRefused, RequestNotSent } from './errors.ts'
import { isPublicAddress } from './public-address.ts'
import { type FoundAddress, type Resolve, unknownNameCodes } from './resolve.ts'

/** Opens a checked connection to the host of an address, until `signal` fires. */
export type Connect = (url: URL, signal: AbortSignal) => Promise<Socket>

export type ConnectOptions = {
  /** Whether private, loopback and link-local addresses may be reached. */
  allowPrivate: boolean
  resolve: Resolve
  signal: AbortSignal
}

/**
 * Connects to the host of an http or https address. When it returns, TLS is ready and the certificate is checked. The
 * name is resolved only once, so that the connection uses a checked address.
 * @throws RequestNotSent
 */
export async function connect(url: URL, { allowPrivate, resolve, signal }: ConnectOptions): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = allowPrivate
    ? await addressesOf(host, resolve, signal)
    : await publicAddressesOf(url, host, resolve, signal)
  const tls = url.protocol === 'https:'
  const options = {
    host,
    port: Number(url.port || (tls ? 443 : 80)),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
  }
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = tls ? openTls({ ...options, ...name, ALPNProtocols: ['http/1.1'] }) : openPlain(options)
  return new Promise((resolved, rejected) => {
    const fail = (reason: string) => {
      signal.removeEventListener('abort', onAbort)
      // The socket may still report an error while it closes.
      socket.on('error', () => {}).destroy()
      rejected(new RequestNotSent(`${url.host} was not reached: ${reason}`))
    }
    const onAbort = () => fail('no connection in time')
    const onError = (error: Error) => fail(reasonOf(error))
    socket.once('error', onError)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', onAbort)
      socket.removeListener('error', onError)
      if (!allowPrivate && !isPublicAddress(socket.remoteAddress ?? '')) fail('its address changed')
      else resolved(socket)
    })
    if (signal.aborted) onAbort()
  })
}

/**
 * Finds the addresses of a host, and refuses private ones.
 * @throws AddressRefused, with one message for unknown names and private addresses
 */
async function publicAddressesOf(
  { host: shown }: URL,
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<FoundAddress[]> {
  const refused = (cause: string) =>
    new AddressRefused(
      `${shown} is not an address of the public internet; the operator of this installation can allow private addresses (OUTBOUND_ALLOW_PRIVATE=1). If it is meant to be public, check its spelling`,
      { cause },
    )
  let addresses: FoundAddress[]
  try {
    addresses = await addressesOf(host, resolve, signal)
  } catch (error) {
    throw error instanceof RequestNotSent && error.cause === nameUnknown ? refused(nameUnknown) : error
  }
  const inside = addresses.find(({ address }) => !isPublicAddress(address))
  if (inside) throw refused(`the name leads to ${inside.address}`)
  return addresses
}

const nameUnknown = 'no name server knows the name'

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<FoundAddress[]> {
  if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }]
  const aborted = Promise.withResolvers<never>()
  const onAbort = () =>
    aborted.reject(new RequestNotSent(`${host} was not reached: no answer of DNS in time`))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    const found = await Promise.race([resolve(host, signal), aborted.promise])
    if (found.length > 0) return found
    throw new RequestNotSent(`${host} has no address`, { cause: nameUnknown })
  } catch (error) {
    if (error instanceof RequestNotSent) throw error
    const cause = unknownNameCodes.includes(reasonOf(error)) ? nameUnknown : undefined
    throw new RequestNotSent(`${host} was not reached: ${reasonOf(error)}`, { cause })
  } finally {
    signal.removeEventListener('abort', onAbort)
    aborted.promise.catch(() => {})
  }
}

/** A lookup function that returns these addresses. */
const answerWith =
  (addresses: FoundAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else if (first) callback(null, first.address, first.family)
  }

/** Returns the code of an error, such as `ECONNREFUSED`, or its message if it has no code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== undefined && /CERT|VERIFY|ALTNAME/.test(code))
    return `its TLS certificate is not valid for this host (${code})`
  return code ?? message
}
