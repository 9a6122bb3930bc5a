import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type LaneOf, RequestTurns } from './request-turns.ts'

/** How many requests of one connection may wait for their turn. */
const waitingMax = 256
/** The same for all connections together. Node makes them in one iteration of the event loop, each in up to 35 µs. */
const waitingOfAllMax = 1_024
/**
 * Each waiting request counts as so many bytes of an answer. Node reads no more from a connection while 64 KiB of its
 * answers wait, which is while more than two requests wait. Otherwise it would read up to 2 MiB of long headers of each
 * connection in one iteration of the event loop.
 */
const bytesOfWaiting = 33 * 1024

const sharedLane: LaneOf = () => ({ name: 'all', isKnown: false })

type Response = ServerResponse & { _onPendingData?: (bytes: number) => void }
type Waiting = [request: IncomingMessage, response: Response, handle: RequestListener]

/**
 * Handles the requests of a connection one after another, and those of all connections in turns. A client may send many
 * requests before it reads an answer, and Node hands all of them over in one iteration of the event loop. 100 connections
 * with 2,000 requests each would block the thread for seconds. A connection with too many waiting requests is closed.
 */
export function handleOneAtATime(server: Server, laneOf: LaneOf = sharedLane): void {
  const [handleRequest, ...others] = server.listeners('request') as RequestListener[]
  if (!handleRequest || others.length > 0) throw new Error('The server must have one handler of requests')
  server.off('request', handleRequest)
  const turns = new RequestTurns()
  /** The connections with a request in progress, and the requests that wait behind it. */
  const connections = new WeakMap<Socket, Waiting[]>()
  let total = 0

  function begin(socket: Socket, [request, response, handle]: Waiting): void {
    response.once('close', () => endTurn(socket))
    turns.run(
      () => laneOf(request),
      () => {
        if (!socket.destroyed) handle(request, response)
      },
    )
  }

  function endTurn(socket: Socket): void {
    const waiting = connections.get(socket)
    if (!waiting || waiting.length === 0 || socket.destroyed) {
      total -= waiting?.length ?? 0
      connections.delete(socket)
    } else setImmediate(next, socket, waiting)
  }

  function next(socket: Socket, waiting: Waiting[]): void {
    const first = waiting.shift()
    if (!first) return
    total -= 1
    if (socket.destroyed) endTurn(socket)
    else {
      const [, response] = first
      response._onPendingData?.(-bytesOfWaiting)
      begin(socket, first)
    }
  }

  function receive(...received: Waiting): void {
    const [{ socket }, response] = received
    if (socket.destroyed) return
    const waiting = connections.get(socket)
    if (!waiting) {
      connections.set(socket, [])
      begin(socket, received)
    } else if (waiting.length < waitingMax && total < waitingOfAllMax) {
      waiting.push(received)
      total += 1
      response._onPendingData?.(bytesOfWaiting)
    } else socket.destroy()
  }

  server.on('connection', stopParsing)
  server.on('request', (request, response) => receive(request, response, handleRequest))
  server.on('checkExpectation', (request, response) => receive(request, response, refuseExpectation))
}

/** Answers a request with an `Expect` header other than `100-continue`. */
const refuseExpectation: RequestListener = (_request, response) => response.writeHead(417).end()

type Parser = { onIncoming?: (request: IncomingMessage, mayContinue: boolean) => number }
/** What `onIncoming` returns for an upgrade. Node's parser then leaves the remaining bytes unparsed. */
const stop = 2

/**
 * Ends the parsing of a connection that is closed. The 64 KiB that Node has read may contain 2,400 requests. Node would make
 * an object of each, and then an error of each, which takes 100 ms.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: Parser | null }
  const receive = parser?.onIncoming
  if (!parser || !receive) return
  parser.onIncoming = (request, mayContinue) =>
    socket.destroyed ? stop : receive.call(parser, request, mayContinue)
}
