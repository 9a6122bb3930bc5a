import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

export const healthRequest = 'GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n'

/**
 * Opens a connection, and sends a request on it. Returns whether the server answers; false if it closes the connection. The
 * connection stays open until the test ends.
 * @param from the client's address; only Linux answers at all addresses of 127.0.0.0/8
 */
export function openConnection(address: string, from?: string): Promise<boolean> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) })
  onTestFinished(() => void socket.destroy())
  return new Promise((resolve) => {
    socket
      .once('data', () => resolve(true))
      .once('close', () => resolve(false))
      .on('error', () => {})
    socket.write(healthRequest)
  })
}
