import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How many sockets listen on the address. */
const socketCount = 8
/** Linux gives each new connection to one of the sockets. With several processes, the supervisor accepts all connections. */
const usesSeveral = process.platform === 'linux' && !cluster.isWorker

type Address = { host: string; port: number }

/**
 * The sockets on which a server listens. libuv accepts one connection of each socket in an iteration of the event loop
 * (https://github.com/libuv/libuv/pull/3696). With one socket and long iterations, a client that connects behind
 * hundreds of others would wait for seconds.
 */
export class ListeningSockets {
  readonly #server: FastifyInstance
  #others: Server[] = []

  /** Create it before the server is ready: the sockets close with the server. */
  constructor(server: FastifyInstance) {
    this.#server = server
    let closed: Promise<unknown> = Promise.resolve()
    server.addHook('preClose', (done) => {
      closed = Promise.all(this.#others.map(close))
      done()
    })
    server.addHook('onClose', async () => void (await closed))
  }

  /**
   * Returns the URL of the address. With port 0, the system chooses the port.
   * @throws the error of Node if the server cannot listen there
   */
  async listen({ host, port }: Address): Promise<string> {
    if (!usesSeveral) return this.#server.listen({ host, port })
    await requireFree({ host, port })
    const first = { host, port, reusePort: true }
    const url = await this.#server.listen(first)
    const { port: chosen } = this.#server.server.address() as AddressInfo
    for (let others = 1; others < socketCount; others++)
      this.#others.push(await this.#listenToo({ host, port: chosen }))
    return url
  }

  async #listenToo(address: Address): Promise<Server> {
    const { server } = this.#server
    // The options of an HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true })
    other.on('connection', (socket) => server.emit('connection', socket))
    return listening(other, { ...address, reusePort: true })
  }
}

/** Several sockets on one port would not notice that another server uses the port, so try it with a single socket first. */
async function requireFree(address: Address): Promise<void> {
  await close(await listening(createServer(), address))
}

async function listening(server: Server, address: Address & { reusePort?: boolean }): Promise<Server> {
  server.listen(address)
  await once(server, 'listening')
  return server
}

/** Stops listening. Returns when the connections are closed, too. */
const close = (server: Server) => new Promise((resolve) => server.close(resolve))
