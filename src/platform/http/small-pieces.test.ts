import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitSmallPieces } from './small-pieces.ts'

/** A server that counts the chunks of bodies and the bodies that end, and answers them. */
async function newServer() {
  const counted = { pieces: 0, bytes: 0, ended: 0, broken: 0 }
  const server = createServer((request, response) => {
    request
      .on('data', (piece: Buffer) => {
        counted.pieces += 1
        counted.bytes += piece.length
      })
      .on('end', () => {
        counted.ended += 1
        response.end()
      })
      .on('error', () => {
        counted.broken += 1
      })
  })
  limitSmallPieces(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { counted, port: (server.address() as AddressInfo).port }
}

const head = 'POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunks = (count: number) => '1\r\nx\r\n'.repeat(count)
const end = '0\r\n\r\n'

/** Connects before it sends, so that all arrives at once. */
async function sendOn(port: number, count: number, text: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const closed = sockets.map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.write(text)
  await Promise.all(closed)
  return sockets
}

test('a body of 3,000 small chunks arrives whole, in few pieces', async () => {
  const { counted, port } = await newServer()
  await sendOn(port, 1, head + chunks(3_000) + end)
  expect(counted).toMatchObject({ bytes: 3_000, ended: 1, broken: 0 })
  expect(counted.pieces).toBeLessThan(100)
})

test('five clients that send each line of a file as a chunk are read whole', async () => {
  const { counted, port } = await newServer()
  const lines = `1e\r\n${'x'.repeat(30)}\r\n`.repeat(20_000)
  await sendOn(port, 5, head + lines + end)
  expect(counted).toMatchObject({ bytes: 5 * 600_000, ended: 5, broken: 0 })
})

test('connections with thousands of small chunks each are closed, and their bodies do not look complete', async () => {
  const { counted, port } = await newServer()
  await sendOn(port, 50, head + chunks(10_000) + end)
  expect(counted.ended).toBe(0)
  expect(counted.broken).toBe(50)
  // All of them would be 500,000.
  expect(counted.bytes).toBeLessThan(50 * 5_000)
})

test('after a closed connection, the next ones are read as usual', async () => {
  const { counted, port } = await newServer()
  await sendOn(port, 20, head + chunks(10_000) + end)
  counted.bytes = 0
  for (let at = 0; at < 20; at++) await sendOn(port, 1, head + chunks(100) + end)
  expect(counted.bytes).toBe(2_000)
  expect(counted.ended).toBe(20)
})
