import { once } from 'node:events'
import { connect } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

// The clients run in a thread of their own, so that their work does not count as work of the server.

type Load = { address: string; connections: number; request: string }

/**
 * Many connections, each of which sends the same request again as soon as it has the answer. Returns when all are open
 * and send. `answers` counts the answers so far, and `end` closes the connections.
 */
export async function closedLoop(
  load: Load,
): Promise<{ answers: () => number; end: () => Promise<unknown> }> {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...load, counter } })
  await once(worker, 'message')
  return { answers: () => Atomics.load(counter, 0), end: () => worker.terminate() }
}

async function sendForever({ address, connections, request, counter }: Load & { counter: Int32Array }) {
  const { port } = new URL(address)
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket.on('data', () => {
      Atomics.add(counter, 0, 1)
      socket.write(request)
    })
  }
  const sockets = []
  while (sockets.length < connections) sockets.push(await open())
  for (const socket of sockets) socket.write(request)
  parentPort!.postMessage('open')
}

if (!isMainThread && (workerData as Load | null)?.connections) await sendForever(workerData)
