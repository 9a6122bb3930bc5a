import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { RawConnection } from './raw-http.ts'

export type Server = { address: string; pid: number }

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

export const headOf = (path: string, bytes: number, headers: string[] = []): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: here', ...headers, `Content-Length: ${bytes}`].join('\r\n')}\r\n\r\n`

/**
 * Opens `count` connections. Each sends `head` and all but 100 of `bytes` spaces, and then waits.
 * @returns the largest growth of the server's memory in MiB, after each connection has sent its part or has an answer
 */
export async function memoryGrowth(
  server: Server,
  { count, bytes, head }: { count: number; bytes: number; head: string },
): Promise<number> {
  const before = residentMiB(server.pid)
  let highest = before
  const look = () => {
    highest = Math.max(highest, residentMiB(server.pid))
  }
  const looking = setInterval(look, 20)
  const spaces = Buffer.alloc(bytes - 100, ' ')
  const connections: RawConnection[] = []
  try {
    for (let at = 0; at < count; at++) {
      connections.push(new RawConnection(server.address).send(head).send(spaces))
      // Open 200 at a time: a listening socket refuses more than its backlog.
      const earlier = connections[at - 200]
      if (earlier?.socket.connecting) await once(earlier.socket, 'connect')
    }
    const isDone = ({ socket, text }: RawConnection) =>
      text !== '' || socket.closed || (socket.writableLength === 0 && !socket.connecting)
    while (!connections.every(isDone)) await delay(20)
    await delay(500)
    return highest - before
  } finally {
    clearInterval(looking)
    for (const { socket } of connections) socket.destroy()
  }
}
