import { once } from 'node:events'
import { connect } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

// The clients run in a thread of their own, so that their work does not count as work of the server.

type Load = { address: string; connections: number; request: string }

/**
 * Many connections, each of which sends the same request again as soon as it has the answer. Returns when all are open
 * and send. Call `end` to close them; it returns the number of answers.
 */
export async function closedLoop(load: Load): Promise<{ end: () => Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load })
  await once(worker, 'message')
  return {
    async end() {
      worker.postMessage('end')
      const [answers] = await once(worker, 'message')
      await worker.terminate()
      return answers as number
    },
  }
}

async function sendUntilEnd({ address, connections, request }: Load): Promise<void> {
  const { port } = new URL(address)
  let answers = 0
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket.on('data', () => {
      answers += 1
      socket.write(request)
    })
  }
  const sockets = []
  while (sockets.length < connections) sockets.push(await open())
  for (const socket of sockets) socket.write(request)
  parentPort!.postMessage('open')
  await once(parentPort!, 'message')
  for (const socket of sockets) socket.destroy()
  parentPort!.postMessage(answers)
}

if (!isMainThread && (workerData as Load | null)?.connections) await sendUntilEnd(workerData as Load)
