import { connect, type Socket } from 'node:net'

/** Sends bytes that no HTTP client would send. `address` is http://host:port. */
export class RawConnection {
  readonly socket: Socket
  /** The received bytes, one character for each byte. */
  text = ''
  readonly closed: Promise<void>
  #wake: (() => void)[] = []

  constructor(address: string) {
    const { hostname, port } = new URL(address)
    this.socket = connect(Number(port), hostname)
    this.socket.on('data', (piece) => {
      this.text += piece.toString('latin1')
      for (const wake of this.#wake.splice(0)) wake()
    })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        resolve()
        for (const wake of this.#wake.splice(0)) wake()
      })
    })
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** @throws Error if the connection closes before the match */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      if (this.socket.closed) throw new Error(`closed before ${pattern}: ${this.text}`)
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
    return this.text
  }
}

/** Returns the answer when the server has closed the connection. */
export async function exchange(address: string, bytes: string | Uint8Array): Promise<RawConnection> {
  const connection = new RawConnection(address).send(bytes)
  await connection.closed
  return connection
}

export function rawRequest(
  token: string | null,
  method: string,
  path: string,
  headers: string[] = [],
  body = '',
): string {
  const lines = ['Host: here', `Authorization: Bearer ${token}`, 'Connection: close', ...headers]
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
