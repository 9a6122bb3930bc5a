import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { JoinedPieces } from './joined-pieces.ts'

/** Smaller chunks count. Clients may send each line of a file as a chunk, and a line is seldom shorter. */
const tinyBytes = 24
/**
 * How many tiny chunks of bodies one iteration of the event loop reads. Each connection may read `leastOfOne` of them. It may
 * read more as long as it has read fewer chunks than the iteration has left.
 */
const atOnce = 8_192
const leastOfOne = 64

type Parser = { onIncoming?: (request: IncomingMessage, mayContinue: boolean) => number }

/** The current iteration of the event loop, and how many tiny chunks it has read. */
const iteration = { number: 0, chunks: 0, isCounted: false }

function countChunk(): void {
  iteration.chunks += 1
  if (iteration.isCounted) return
  iteration.isCounted = true
  setImmediate(() => {
    iteration.number += 1
    iteration.chunks = 0
    iteration.isCounted = false
  })
}

/**
 * Joins small chunks of bodies, and closes connections that send very many tiny ones at once. The 64 KiB that Node has
 * read may contain 10,900 chunks of one byte. Each would need 480 bytes while nobody reads it, and several microseconds
 * of the thread.
 */
export function limitSmallPieces(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as { parser?: Parser | null }
    const receive = parser?.onIncoming
    if (!parser || !receive) return
    const chunks = new ChunksOfConnection(socket, parser)
    parser.onIncoming = (request, mayContinue) => {
      // Other bodies arrive in pieces as large as Node reads.
      if (request.headers['transfer-encoding'] !== undefined) chunks.limit(request)
      return receive.call(parser, request, mayContinue)
    }
  })
}

class ChunksOfConnection {
  readonly #socket: Socket
  readonly #parser: Parser
  /** The last iteration that read a tiny chunk of this connection, and how many it has read. */
  #iteration = -1
  #read = 0
  #isClosed = false

  constructor(socket: Socket, parser: Parser) {
    this.#socket = socket
    this.#parser = parser
  }

  limit(request: IncomingMessage): void {
    const joined = new JoinedPieces(request.push.bind(request))
    request.push = (chunk: Buffer | null) => {
      // After skipped chunks, the end of the body must not arrive: the body would look complete.
      if (!this.#isClosed && (chunk === null || chunk.length >= tinyBytes || this.#mayRead()))
        return joined.push(chunk)
      if (!this.#isClosed) this.#close()
      return false
    }
  }

  #mayRead(): boolean {
    countChunk()
    if (this.#iteration !== iteration.number) {
      this.#iteration = iteration.number
      this.#read = 0
    }
    this.#read += 1
    return this.#read <= Math.max(leastOfOne, atOnce - iteration.chunks)
  }

  #close(): void {
    this.#isClosed = true
    this.#socket.destroy()
    skipBody(this.#parser, this.#socket)
  }
}

/**
 * Makes the parser of a closed connection skip the chunks that remain. It would call a function for each of them
 * otherwise. Node keeps parsers for later connections.
 */
function skipBody(parser: Parser, socket: Socket): void {
  const handlers = parser as Record<string, unknown>
  const key = Object.keys(handlers).find((each) => nameOf(handlers[each]) === 'parserOnBody')
  if (key === undefined) return
  const handler = handlers[key]
  handlers[key] = undefined
  socket.once('close', () => {
    handlers[key] = handler
  })
}

const nameOf = (value: unknown) => (typeof value === 'function' ? value.name : null)
