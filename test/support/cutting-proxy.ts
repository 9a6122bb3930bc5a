import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A connection to a server that breaks once in the middle of a request, and then stays down until `restore`. It passes
 * bytes, so the server gets exactly the part before the break.
 */
export class CuttingProxy {
  /** The Idempotency-Keys of the watched requests, in their order. */
  readonly keys: string[] = []
  /** How many bytes of the first watched request reached the server. */
  passed = 0
  #target: URL
  readonly #watched: RegExp
  readonly #cutAfter: number
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#join(client))
  readonly #beforeBreak: () => Promise<unknown>
  #isDown = false

  /**
   * @param watched matches the first line of the request that breaks
   * @param cutAfter how many bytes of this request pass, with its head
   * @param beforeBreak runs before the connections break, while no more bytes pass
   */
  constructor(
    target: string,
    watched: RegExp,
    cutAfter: number,
    beforeBreak: () => Promise<unknown> = async () => {},
  ) {
    this.#target = new URL(target)
    this.#watched = watched
    this.#cutAfter = cutAfter
    this.#beforeBreak = beforeBreak
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** @param target the address of the server, if it has another one now */
  restore(target?: string): void {
    if (target !== undefined) this.#target = new URL(target)
    this.#isDown = false
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(client: Socket): void {
    if (this.#isDown) return void client.destroy()
    const server = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
    let isCut = false
    server.pipe(client)
    client.on('data', (data) => {
      if (this.#isDown) return
      const bytes = Buffer.from(data)
      if (this.#watched.test(bytes.toString('latin1'))) {
        this.keys.push(/^idempotency-key: (.*)$/im.exec(bytes.toString('latin1'))?.[1]?.trim() ?? 'none')
        isCut = this.keys.length === 1
      }
      const left = isCut ? this.#cutAfter - this.passed : bytes.length
      const part = bytes.subarray(0, left)
      if (isCut) this.passed += part.length
      server.write(part)
      if (bytes.length < left || !isCut) return
      // All connections break, as when a phone loses its network.
      this.#isDown = true
      void this.#beforeBreak().then(() => {
        for (const socket of this.#sockets) socket.destroySoon()
      })
    })
  }
}
