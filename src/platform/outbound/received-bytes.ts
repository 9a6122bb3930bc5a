import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/** Room for the headers of the answer and of informational answers before it. */
const headBytes = 65_536

/**
 * Closes the connection of a request if its answer takes more than `headBytes` plus twice the limit of the body. That
 * also limits informational answers, which could go on forever and keep the thread busy.
 * @param bodyBytesMax the maximum size of the answer's body in bytes
 * @param lose gets the reason before the connection closes
 */
export function limitReceived(
  sent: ClientRequest,
  bodyBytesMax: number,
  lose: (reason: string) => void,
): void {
  const bytesMax = headBytes + 2 * bodyBytesMax
  sent.once('socket', (socket: Socket) => {
    let received = 0
    const count = (chunk: Buffer) => {
      received += chunk.length
      if (received <= bytesMax) return
      lose(`it sent more than ${bytesMax} bytes`)
      socket.destroy()
    }
    socket.on('data', count)
    sent.once('close', () => socket.removeListener('data', count))
  })
}
