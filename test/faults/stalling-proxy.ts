import { createServer, connect as open, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'

/** A proxy to PostgreSQL whose connections can stall, as in a network that silently drops packets. */
export class StallingProxy {
  readonly #server = createServer((client) => this.#join(client))
  readonly #target: ClientConfig
  readonly #sockets = new Set<Socket>()

  private constructor(target: ClientConfig) {
    this.#target = target
  }

  /** @param target an address on this machine */
  static async start(target: ClientConfig): Promise<StallingProxy> {
    const proxy = new StallingProxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get connection(): ClientConfig {
    const { port } = this.#server.address() as { port: number }
    return { ...this.#target, host: '127.0.0.1', port }
  }

  /** Stops all open connections from passing data, without closing them. Returns their number. */
  stall(): number {
    for (const socket of this.#sockets) socket.unpipe().pause()
    return this.#sockets.size / 2
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #join(client: Socket): void {
    const { host = '', port = 5432 } = this.#target
    const server = host.startsWith('/') ? open(join(host, `.s.PGSQL.${port}`)) : open(port, host)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
      socket.pipe(other)
    }
  }
}
