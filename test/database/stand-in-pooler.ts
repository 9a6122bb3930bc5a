import { createServer, connect as open, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'

// The only connection parameters that PgBouncer accepts.
const accepted = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
]

/** A proxy that refuses parameters and invents process ids, like PgBouncer in session mode. */
export class StandInPooler {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(target: string) {
    const { host = '', port } = new Client({ connectionString: target })
    this.#server = createServer((client) => {
      const server = host.startsWith('/') ? open(join(host, `.s.PGSQL.${port}`)) : open(port, host)
      this.#join(client, server)
    })
  }

  /** @param target the address of a database on this machine */
  static async start(target: string): Promise<{ url: string; close(): Promise<void> }> {
    const pooler = new StandInPooler(target)
    await new Promise<void>((resolve) => pooler.#server.listen(0, '127.0.0.1', resolve))
    const url = new URL(target)
    url.searchParams.delete('host')
    url.searchParams.delete('port')
    url.host = `127.0.0.1:${(pooler.#server.address() as { port: number }).port}`
    return { url: url.toString(), close: () => pooler.#close() }
  }

  #join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
    client.once('data', (startup: Buffer) => {
      const refused = parametersOf(startup).find((name) => !accepted.includes(name.toLowerCase()))
      if (refused !== undefined) {
        client.end(fatal(`unsupported startup parameter: ${refused}`))
        return
      }
      server.write(startup)
      client.pipe(server)
    })
    server.on('data', (bytes: Buffer) => client.write(withAnotherProcessId(bytes)))
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

/** A StartupMessage has a length, a protocol, then names and values that end with a zero byte. */
function parametersOf(startup: Buffer): string[] {
  const texts = startup.toString('utf8', 8).split('\0')
  return texts.filter((name, index) => index % 2 === 0 && name !== '')
}

function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

function withAnotherProcessId(bytes: Buffer): Buffer {
  const keyData = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (keyData >= 0) bytes.writeInt32BE(bytes.readInt32BE(keyData + 5) + 1, keyData + 5)
  return bytes
}
