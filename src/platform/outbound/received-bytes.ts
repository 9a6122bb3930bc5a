import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/** Room for the headers of the answer and of informational answers before it. */
const headBytes = 65_536
/** A server sends at most one or two informational answers. */
const hintsMax = 10
/** Further headers are not read: 900 of them would take half a millisecond of the thread. */
const headersMax = 100

/**
 * Reads the first 100 headers of an answer. Closes the connection of a request if its answer takes more than `headBytes`
 * plus twice the limit of the body, or after ten informational answers, which would keep the thread busy.
 * @param bodyBytesMax the maximum size of the answer's body in bytes
 * @param lose gets the reason before the connection closes
 */
export function limitReceived(
  sent: ClientRequest,
  bodyBytesMax: number,
  lose: (reason: string) => void,
): void {
  const bytesMax = headBytes + 2 * bodyBytesMax
  sent.maxHeadersCount = headersMax
  let hints = 0
  sent.on('information', () => {
    if (++hints <= hintsMax) return
    lose(`it sent more than ${hintsMax} informational answers`)
    sent.destroy()
  })
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
