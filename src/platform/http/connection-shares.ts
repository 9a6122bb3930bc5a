import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { noteArrival } from '../arrivals.ts'
import { networkOf } from '../client-network.ts'
import type { Config } from '../config.ts'
import { Counts } from '../counts.ts'
import type { Log } from '../log.ts'
import { writeOnceASecond } from '../log-once-a-second.ts'
import { proxyTest } from '../proxies.ts'
import { NewConnections } from './new-connections.ts'
import { connectionsWithin, openFilesMax } from './open-files.ts'

type Settings = Pick<Config, 'trustProxy' | 'connectionsPerAddress'>

/**
 * Closes a new connection if its client address has as many connections as are free. So one address gets at most half
 * of all connections, two get a third each, and there is always room for another address. Also closes it if the address opens
 * too many in a second. An address of a trusted proxy has no limit, because many clients share it.
 */
export function shareConnections(
  server: Server,
  { trustProxy, connectionsPerAddress }: Settings,
  log: Log,
): void {
  server.maxConnections = connectionsWithin(openFilesMax())
  const isTrusted = proxyTest(trustProxy)
  const open = new Counts()
  const opening = new NewConnections(performance.now())
  let total = 0

  function refusal(address: string, network: string): string | null {
    if (isTrusted(address)) return null
    if (!opening.mayOpen(network, performance.now())) return tooManyNew
    const own = open.of(network)
    const isFull = own >= server.maxConnections - total || own >= (connectionsPerAddress ?? Infinity)
    return isFull ? tooManyOpen : null
  }

  server.on('drop', () => logFull(log, total))
  server.prependListener('connection', (socket: Socket) => {
    noteArrival()
    // Node counts only the connections of one listening socket.
    if (total >= server.maxConnections) {
      logFull(log, total)
      socket.destroy()
      return
    }
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const refused = refusal(address, network)
    if (refused) {
      logRefusal(log, refused, network, open.of(network))
      socket.destroy()
      return
    }
    open.add(network, 1)
    total += 1
    socket.once('close', () => {
      open.add(network, -1)
      total -= 1
    })
  })
}

const tooManyOpen = 'a client address has too many connections; if it is a proxy, name it in TRUST_PROXY'
const tooManyNew =
  'a client address opens too many connections in a second; if it is a proxy, name it in TRUST_PROXY'

function logRefusal(log: Log, message: string, address: string, connections: number): void {
  writeOnceASecond(log, message, undefined, () => log.warn({ address, connections }, message))
}

function logFull(log: Log, connections: number): void {
  const message =
    'this process has as many connections as it may have: 4,096, or fewer if it may open few files (ulimit -n)'
  writeOnceASecond(log, message, undefined, () => log.warn({ connections }, message))
}
